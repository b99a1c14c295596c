import "../../../../scripts/withoutColour.ts";
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { fileName } from "libmcp/control";
import { askHost, runningHosts } from "libmcp/host";
import { until } from "../../../../e2e/until.ts";
import { inProcess } from "./inProcess.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const ECHO = fileURLToPath(new URL("./echoServer.ts", import.meta.url));
const EVERY = { command: process.execPath, args: [ECHO], env: { API_KEY: "sesame-of-the-server" } };

type Status = {
	readonly name: string;
	readonly pid: number;
	readonly workerPid?: number;
	readonly gateway?: string;
	readonly sessionPids?: readonly number[];
	readonly approvals?: string;
	readonly configProblem?: string;
	readonly health: {
		readonly state: string;
		readonly generation: number;
		readonly restartCount: number;
		readonly connection?: { readonly reason?: string };
	};
};

for (const command of [["up", "--port", "0"], ["serve"]]) {
	test(`status lists every server behind holdfast ${command[0]}, and rollout upgrades one`, {
		timeout: 120_000,
	}, async (t) => {
		const place = newPlace(t, {
			every: EVERY,
			gone: { command: "/no/such/command" },
			away: { url: "http://127.0.0.1:9/mcp" },
		});
		const gateway = place.start([...command, "--bare"]);
		await until(async () => {
			const all = await place.statuses();
			return all.length === 3 && all.every(({ health }) => health.state === "ready" || health.connection?.reason);
		}, "one is ready, and the other two say why they are not");
		const every = await place.statusOf("every");
		assert.equal(every.pid, gateway.pid);
		process.kill(every.workerPid ?? Number.NaN, 0);
		assert.equal((await place.run("status", "--json")).includes("sesame"), false);
		if (command[0] === "up") assert.match(every.gateway ?? "", /^http:\/\/127\.0\.0\.1:\d+$/);

		const table = await place.run("status");
		assert.match(table, /^every +\d+ +\d+ +1 +ready +0 +0 +0 +none$/m);
		assert.match(table, /^gone +\d+ +none +none +(failed|connecting) +none +0 .*\/no\/such\/command/m);
		assert.match(table, /^away +\d+ +none +none +(failed|connecting) +none +0 /m);
		assert.equal(/^gateway \d+ serves at http:/m.test(table), command[0] === "up");

		assert.match(await place.run("rollout", "every"), /^every: generation 2 serves in \d+ ms\n$/);
		assert.notEqual((await place.statusOf("every")).workerPid, every.workerPid);
		await assert.rejects(place.run("rollout", "away"), /away has no process here/);
		await assert.rejects(
			place.run("rollout", "gone"),
			/gone has no process that runs now; holdfast logs gone says why/,
		);
		await assert.rejects(
			place.run("rollout", "every", "--host"),
			/the host is not a process of its own: restart the gateway/,
		);

		process.kill((await place.statusOf("every")).workerPid ?? Number.NaN, "SIGKILL");
		const wanted = [
			/ g1 {2}ok {2}initialize {2}[\d.]+ ms$/m,
			/ g2 {2}rollout {2}switching$/m,
			/ worker_killed {2}signal SIGKILL$/m,
		];
		await until(() => place.logOf("every").includes("worker_killed"), "the crash is written down");
		const told = await place.run("logs", "every");
		for (const one of wanted) assert.match(told, one);
		const reasons = [
			/process: command_not_found {2}there is no command \/no\/such\/command\n$/,
			/transport: connect_failed .*ECONNREFUSED/,
		];
		for (const [index, name] of ["gone", "away"].entries()) {
			const lines = await place.run("logs", name);
			assert.match(lines, reasons[index] ?? /never/);
			// It is tried again and again; the reason stays the same.
			assert.equal(lines.match(/ fault /g)?.length, 1, lines);
		}
		assert.equal((await place.run("logs", "every", "--json")).includes("sesame"), false);

		place.configure({ other: EVERY });
		await until(
			async () => (await place.statuses()).map(({ name }) => name).join() === "other",
			"status follows the configuration",
		);
		await place.end(gateway);
		assert.equal(await place.run("status", "--json"), "[]\n");
		assert.deepEqual(readdirSync(join(place.folder, "holdfast")), []);
	});
}

test("status says which tools wait for approval, and that a changed configuration is not used", {
	timeout: 120_000,
}, async (t) => {
	const place = newPlace(t, { every: EVERY }, { quarantine: { mode: "ask" } });
	place.start(["serve", "--bare"]);
	const isKnown = (what: "approvals" | "configProblem") => async () =>
		(await place.statuses())[0]?.[what] !== undefined;
	await until(isKnown("approvals"), "they wait");
	writeFileSync(join(place.folder, "config.json"), "{ nonsense");
	await until(isKnown("configProblem"), "it is refused");
	const shown = await place.run("status");
	assert.match(shown, /^every: (\d+) of \1 tools? waits? for approval: holdfast approve --config /m);
	assert.match(shown, /^gateway \d+: the changed configuration is not used: /m);
});

test("two gateways with a server of the same name are told apart by their process", { timeout: 120_000 }, async (t) => {
	const place = newPlace(t, { every: EVERY });
	const gateways = [place.start(["up", "--port", "0", "--bare"]), place.start(["serve", "--bare"])];
	const ready = async () => (await place.statuses()).filter(({ health }) => health.state === "ready");
	await until(async () => (await ready()).length === 2, "both are ready");
	await assert.rejects(
		place.run("rollout", "every"),
		/name: expected one host, but 2 are called every; add --pid \d+ or \d+, or --all\n/,
	);
	await assert.rejects(place.run("rollout", "every", "--pid", "1"), /rollout: --pid: expected \d+ or \d+, got 1\n/);
	await assert.rejects(place.run("rollout", "evry"), /no running host is called "evry"; did you mean every\?\n/);
	await assert.rejects(place.run("logs", "evry"), /"evry" has left no log; did you mean every\?\n/);
	const pid = gateways[0]?.pid ?? 0;
	await place.run("rollout", "every", "--pid", String(pid));
	const generations = new Map((await place.statuses()).map((one) => [one.pid, one.health.generation]));
	assert.deepEqual([generations.get(pid), generations.get(gateways[1]?.pid ?? 0)], [2, 1]);
	const shown = await place.run("status");
	if (process.platform === "linux")
		for (const gateway of gateways)
			assert.ok(
				shown.includes(`\n${gateway.pid}: started by node (${process.pid}), runs in ${process.cwd()}\n`),
				shown,
			);
	const all = (await place.run("rollout", "every", "--all")).split("\n").sort();
	const told = gateways.map((gateway) => `every (${gateway.pid}): generation ${gateway.pid === pid ? 3 : 2} serves in`);
	assert.deepEqual(
		all.map((line) => line.replace(/ \d+ ms$/, "")),
		["", ...told.sort()],
	);
	const outcomes = JSON.parse(await place.run("rollout", "every", "--all", "--json")) as {
		pid: number;
		value: object;
	}[];
	assert.deepEqual(new Set(outcomes.map((one) => one.pid)), new Set(gateways.map((gateway) => gateway.pid)));
	await assert.rejects(place.run("rollout", "every", "--all", "--pid", String(pid)), /--all: expected without --pid\n/);
	for (const gateway of gateways) await place.end(gateway);
});

test("a rollout or restart reaches also the clients that use a server at a path of its own", {
	timeout: 120_000,
}, async (t) => {
	const place = newPlace(t, { every: EVERY });
	const gateway = place.start(["up", "--port", "0", "--bare"]);
	await until(async () => (await place.statuses())[0]?.health.state === "ready", "it is ready");
	const address = (await place.statusOf("every")).gateway;
	const connect = async (): Promise<Client> => {
		const client = new Client({ name: "witness", version: "1.0.0" });
		await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp/every`)));
		t.after(() => client.close());
		return client;
	};
	const pids = async () => (await place.statusOf("every")).sessionPids ?? [];
	const client = await connect();
	const [first] = await pids();
	assert.match(
		await place.run("status"),
		new RegExp(`^every: clients at its own path have processes of their own: ${first}$`, "m"),
	);
	assert.match(
		await place.run("rollout", "every", "--", process.execPath, ECHO, "stdio"),
		/^every: generation 2 serves in \d+ ms, also for 1 client at \/mcp\/every; the configuration still has the old command, which .*\n$/,
	);
	const [second] = await pids();
	assert.notEqual(second, first);
	assert.ok((await client.listTools()).tools.length > 0, "the session goes on");
	await connect();
	const both = await pids();
	assert.equal(both.length, 2);
	if (process.platform === "linux")
		for (const pid of both)
			assert.match(readFileSync(`/proc/${pid}/cmdline`, "utf8"), /\0stdio\0$/, "the command that serves now");
	const headers = { "content-type": "application/json" };
	const restarted = await fetch(`${address}/api/servers/every/restart`, { method: "POST", headers, body: "{}" });
	assert.equal(restarted.status, 200);
	await until(async () => {
		const now = await pids();
		return now.length === 2 && !both.some((pid) => now.includes(pid));
	}, "both have new processes");
	await place.end(gateway);
});

test("a gateway that does not answer is listed as such, and a rollout there is given up before it begins", {
	timeout: 120_000,
}, async (t) => {
	const place = newPlace(t, { every: EVERY });
	const gateway = place.start(["serve", "--bare"]);
	await until(async () => (await place.statuses())[0]?.health.state === "ready", "it is ready");
	gateway.kill("SIGSTOP");
	const shown = await place.attempt("status");
	assert.match(
		shown.stdout,
		new RegExp(`^every +${gateway.pid} .* no answer .* process ${gateway.pid} is stopped or busy$`, "m"),
	);
	assert.equal(shown.status, 1);
	const told = JSON.parse((await place.attempt("status", "--json")).stdout);
	assert.deepEqual(told, [{ name: "every", pid: gateway.pid, unresponsive: true }]);
	const refused = await place.attempt("rollout", "every");
	assert.match(refused.stderr, /every \(pid \d+\) does not answer: no answer in 2000 ms; nothing was changed\n$/);
	assert.equal(refused.status, 1);
	gateway.kill("SIGCONT");
	await until(async () => (await place.statuses()).length === 1, "it answers again");
	assert.equal((await place.statusOf("every")).health.generation, 1);
	await place.end(gateway);
});

test("a host that hangs up on everyone, as one out of file descriptors does, is listed as one without an answer", {
	timeout: 120_000,
}, async (t) => {
	const place = newPlace(t, {});
	// The question is still unread when it hangs up, which resets the connection.
	const pid = await listening(
		t,
		place.folder,
		"crowded",
		"pauseOnConnect: true",
		"setTimeout(() => socket.destroy(), 50)",
	);
	const shown = await place.attempt("status");
	assert.match(shown.stdout, new RegExp(`^crowded +${pid} .* no answer `, "m"));
	assert.equal(shown.status, 1);
});

test("a host without an answer has the name it was given, which the first line of its log tells", async (t) => {
	const place = newPlace(t, {});
	const name = "весь мир";
	const pid = await listening(t, place.folder, fileName(name), "pauseOnConnect: true", "socket.destroy()");
	const logs = join(place.folder, ".local/state/holdfast");
	mkdirSync(logs, { recursive: true });
	const opened = { event: "log_opened", at: 1, generation: 0, name, pid, lastFault: null };
	writeFileSync(join(logs, `${fileName(name)}.jsonl`), `${JSON.stringify(opened)}\n`);
	const [told] = JSON.parse((await place.attempt("status", "--json")).stdout);
	assert.deepEqual(told, { name, pid, unresponsive: true });
	// Without its log, or with one of another host, it is called as its files are.
	writeFileSync(join(logs, `${fileName(name)}.jsonl`), `${JSON.stringify({ ...opened, name: "other" })}\n`);
	assert.equal(JSON.parse((await place.attempt("status", "--json")).stdout)[0].name, fileName(name));
	rmSync(logs, { recursive: true });
	assert.equal(JSON.parse((await place.attempt("status", "--json")).stdout)[0].name, fileName(name));
});

test("a rollout whose host goes away before it answers says that it may be under way all the same", {
	timeout: 120_000,
}, async (t) => {
	const place = newPlace(t, {});
	const answer = `socket.once("data", (asked) => socket.end(String(asked).includes("status") ? '{"ok":true}' : ""))`;
	await listening(t, place.folder, "leaving", "", answer);
	const { stderr, status } = await place.attempt("rollout", "leaving");
	assert.match(
		stderr,
		/the host went away before it answered; it may be under way all the same: holdfast status tells\n$/,
	);
	assert.equal(status, 1);
});

/** Starts a process with a host's control socket that does this to each `socket` connected to it; returns its id. */
async function listening(t: TestContext, folder: string, name: string, options: string, act: string): Promise<number> {
	const code = `
		const path = ${JSON.stringify(join(folder, "holdfast", name))} + "." + process.pid + ".sock";
		require("node:fs").mkdirSync(require("node:path").dirname(path), { recursive: true, mode: 0o700 });
		const server = require("node:net").createServer({ ${options} }, (socket) => ${act});
		server.listen(path, () => console.log("here"));`;
	const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
	t.after(() => child.kill("SIGKILL"));
	await once(child.stdout, "data");
	return child.pid ?? assert.fail();
}

function newPlace(t: TestContext, servers: object, sections: object = {}) {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-status-"));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder };
	const config = join(folder, "config.json");
	const configure = (mcpServers: object) => writeFileSync(config, JSON.stringify({ ...sections, mcpServers }));
	configure(servers);
	const attempt = (...args: string[]) => inProcess(args, { env, cwd: folder });
	const run = async (...args: string[]) => {
		const { status, stdout, stderr } = await attempt(...args);
		if (status !== 0) throw new Error(stderr);
		return stdout;
	};
	process.env.XDG_RUNTIME_DIR = folder;
	/** What `holdfast status --json` would print, asked for without starting it. */
	const statuses = async (): Promise<Status[]> => {
		const asked = runningHosts().map(({ path }) => askHost(path, { op: "status" }));
		// One that ends meanwhile does not answer.
		const answers = (await Promise.allSettled(asked)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
		return answers.flatMap((answer) => (answer.ok ? [answer.value as Status] : []));
	};
	return {
		folder,
		configure,
		run,
		attempt,
		statuses,
		logOf: (name: string) => readFileSync(join(folder, `.local/state/holdfast/${name}.jsonl`), "utf8"),
		async statusOf(name: string): Promise<Status> {
			const found = (await statuses()).find((one) => one.name === name);
			assert.ok(found, `${name} is listed`);
			return found;
		},
		start(args: readonly string[]): ChildProcess {
			const child = spawn(process.execPath, [BIN, ...args, "--config", config], {
				env,
				stdio: ["pipe", "ignore", "ignore"],
			});
			t.after(() => child.kill("SIGKILL"));
			return child;
		},
		async end(child: ChildProcess): Promise<void> {
			child.kill("SIGTERM");
			await until(() => child.exitCode !== null || child.signalCode !== null, "it ended");
		},
	};
}
