import "../../../../scripts/withoutColour.ts";
import assert from "node:assert/strict";
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	closeSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isAlive } from "libmcp/command";
import { isNewEnough } from "libmcp/launch";
import { until } from "../../../../e2e/until.ts";
import { inProcess } from "./inProcess.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const ECHO = fileURLToPath(new URL("./echoServer.ts", import.meta.url));
const run = promisify(execFile);
const base = mkdtempSync(join(tmpdir(), "holdfast-cli-"));
const started: ChildProcess[] = [];
// Hosts write their logs as they end, so the folders go last; a test that failed has not ended its own.
after(() => {
	for (const child of started) child.kill("SIGKILL");
	rmSync(base, { recursive: true, force: true });
});

test("a hosted server shows in status, is upgraded by rollout, and leaves a readable log", async (t) => {
	const place = newPlace();
	const client = startHost(place, ["--name", "every", "--", process.execPath, ECHO]);
	t.after(() => client.end());
	await client.initialize();
	await client.request("tools/call", { name: "echo", arguments: { message: "hello" } });

	const [status] = JSON.parse((await cli(place, ["status", "--json"])).stdout) as [
		{ name: string; pid: number; health: { state: string; generation: number } },
	];
	assert.equal(status.name, "every");
	assert.equal(status.pid, client.child.pid);
	assert.equal(status.health.state, "ready");
	assert.equal(status.health.generation, 1);

	const rollout = await cli(place, ["rollout", "every", "--", process.execPath, ECHO]);
	assert.match(rollout.stdout, /^every: generation 2 serves in \d+ ms\n$/);
	await client.request("tools/call", { name: "echo", arguments: { message: "again" } });
	const table = (await cli(place, ["status"])).stdout.split("\n");
	assert.match(table[0] ?? "", /^NAME +PID +SERVER +GEN +STATE +RESTARTS +IN FLIGHT +WAITING +LAST FAULT$/);
	assert.match(table[1] ?? "", /^every +\d+ +\d+ +2 +ready \(probation\) +0 +0 +0 +none$/);

	const log = (await cli(place, ["logs", "every"])).stdout;
	assert.match(log, /ok {2}tools\/call echo {2}\d+\.\d ms/);
	assert.match(log, /rollout {2}probation/);
	assert.equal(log.includes("hello"), false);
	for (const line of (await cli(place, ["logs", "every", "--json", "-n", "3"])).stdout.trim().split("\n")) {
		assert.equal(typeof JSON.parse(line).event, "string");
	}
});

test("a host told to roll out while it still starts does so then, and keeps its client", {
	skip: process.platform === "win32" && "there is no SIGUSR2",
}, async (t) => {
	const place = newPlace();
	// The server is started before most of the host is loaded, so what it does first comes early.
	const script = `[ -e told ] || { touch told; kill -USR2 $PPID; }; exec '${process.execPath}' '${ECHO}'`;
	const client = startHost(place, ["--name", "early", "--", "sh", "-c", `cd '${place}'; ${script}`]);
	t.after(() => client.end());
	const ended = await Promise.race([client.initialize(), once(client.child, "exit")]);
	assert.equal(ended, undefined);
	await until(async () => (await generation(place)) === 2, "the rollout it was told of");
});

test("on a Node too old, whose launcher starts another, the process that was started takes the signal to roll out", {
	skip: olderNode() === undefined && "no Node older than 22.18 is on the path",
}, async (t) => {
	const place = newPlace();
	const client = startHost(place, ["--name", "older", "--", process.execPath, ECHO], olderNode());
	t.after(() => client.end());
	await client.initialize();
	client.child.kill("SIGUSR2");
	await until(async () => (await generation(place)) === 2, "the rollout it was told of");
	await client.request("tools/call", { name: "echo", arguments: {} });
});

test("on a Node too old, killing the process that was started ends the host and the server behind it", {
	skip: olderNode() === undefined && "no Node older than 22.18 is on the path",
}, async (t) => {
	const place = newPlace();
	// A pipe of our own: Node would close one that it made when the process it started is gone, and so end the host.
	execFileSync("mkfifo", [join(place, "stdin")]);
	const stdin = openSync(join(place, "stdin"), "r+");
	t.after(() => closeSync(stdin));
	const args = [BIN, "host", "--name", "orphan", "--", process.execPath, ECHO];
	const launcher = spawn(olderNode() ?? "", args, { env: environment(place), stdio: [stdin, "ignore", "ignore"] });
	started.push(launcher);
	const hosts = async (): Promise<{ pid: number; workerPid?: number }[]> =>
		JSON.parse((await cli(place, ["status", "--json"])).stdout);
	await until(async () => (await hosts())[0]?.workerPid !== undefined, "the server's start");
	const [{ pid, workerPid } = { pid: 0 }] = await hosts();
	const pids = [pid, workerPid ?? 0];
	t.after(() => pids.filter(isAlive).forEach((left) => void process.kill(left, "SIGKILL")));
	assert.ok(!pids.includes(launcher.pid ?? 0));
	// The program that takes the host's place in its process has the same launcher.
	await cli(place, ["rollout", "orphan", "--host"]);
	launcher.kill("SIGKILL");
	await until(() => !pids.some(isAlive), "the end of both");
});

test("a host is found by the name that status shows, whatever an agent's file calls it", async (t) => {
	const place = newPlace();
	const name = "My files, שלום";
	const client = startHost(place, ["--name", name, "--", process.execPath, ECHO]);
	t.after(() => client.end());
	await client.initialize();
	const [status] = JSON.parse((await cli(place, ["status", "--json"])).stdout) as [{ name: string }];
	assert.equal(status.name, name);
	assert.match((await cli(place, ["rollout", name])).stdout, /^My files, שלום: generation 2 serves in \d+ ms\n$/);
	assert.match((await cli(place, ["logs", name])).stdout, /rollout {2}probation/);
	for (const [args, says] of [
		[["rollout"], `name: expected a host's name, got nothing; running: ${name}`],
		[["rollout", "nobody"], `no running host is called "nobody"; running: ${name}`],
		[["rollout", "My files"], `no running host is called "My files"; did you mean ${name}?`],
		[["logs"], `name: expected a host's or a server's name, got nothing; there are: ${name}`],
		[["logs", "nobody"], `"nobody" has left no log; there are: ${name}`],
	] as const)
		assert.equal((await cli(place, args)).stderr, `holdfast ${args[0]}: ${says}\n`);
});

test("a host whose name begins with a dash is rolled out, to another command too", async (t) => {
	const place = newPlace();
	const client = startHost(place, ["--name=-every", "--", process.execPath, ECHO]);
	t.after(() => client.end());
	await client.initialize();
	const pid = String(client.child.pid);
	assert.match((await cli(place, ["rollout", "--pid", pid, "--", "-every"])).stdout, /^-every: generation 2 serves /);
	const command = ["--", process.execPath, ECHO];
	assert.match((await cli(place, ["rollout", "--", "-every", ...command])).stdout, /^-every: generation 3 serves /);
	for (const [args, says] of [
		[["--", "-every", "--"], "command: expected one after --, got nothing"],
		[command, `name: expected a host's name before the new command, got nothing before -- ${process.execPath}`],
	] as const) {
		const refused = await cli(place, ["rollout", ...args]);
		assert.equal(refused.code, 2);
		assert.equal(refused.stderr, `holdfast rollout: ${says}\n`);
	}
});

test("hosts whose names have nothing of a file's name have each a log of their own", async () => {
	const place = newPlace();
	for (const name of ["検索", "天気", "a b", "a/b", "a-b", "x".repeat(60), "x".repeat(61)]) {
		const client = startHost(place, ["--name", name, "--", process.execPath, ECHO]);
		await client.initialize();
		await client.end();
		const opened = (await cli(place, ["logs", name])).stdout.match(/log of .* opened/g);
		assert.deepEqual(opened, [`log of ${name} opened`]);
	}
	const files = readdirSync(join(place, "state/holdfast"));
	assert.equal(files.length, 7, files.join(" "));
	assert.ok(files.includes("a-b.jsonl"));
	const longest = files.toSorted((a, b) => b.length - a.length)[0]?.replace(".jsonl", "") ?? "";
	assert.match((await cli(place, ["logs", longest])).stdout, /log of x+ opened/, "a file's name is a name too");
});

test("logs are read in the order of their times, whatever was written first, and as they are with --json", async () => {
	const place = newPlace();
	const folder = join(place, "state/holdfast");
	mkdirSync(folder, { recursive: true });
	const at = Date.now();
	const call = { event: "call", generation: 1, method: "ping", id: "1", latencyMs: 1, attempts: 1, outcome: "ok" };
	const opened = { event: "log_opened", at: at + 5, generation: 0, name: "late", pid: 7, lastFault: null };
	const lines = [
		opened,
		{ ...call, at },
		"half a li",
		{ ...call, at: at + 9 },
		{ ...call, at: at + 7, method: "later" },
	];
	const file = join(folder, "late.jsonl");
	const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
	writeFileSync(file, text);
	const shown = (await quickly(place, ["logs", "late"])).stdout.trimEnd().split("\n");
	// The line that opens the log goes before the record that opened it, although that one began earlier.
	const order = [/log of late opened by process 7/, /ping/, /not a record: half a li/, /later/, /ping/];
	assert.equal(shown.length, order.length);
	for (const [place, one] of order.entries()) assert.match(shown[place] ?? "", one);
	assert.equal((await quickly(place, ["logs", "late", "--json"])).stdout, text);
});

test("rollout --all tries every host of a name, and fails where one of them did", async (t) => {
	const place = newPlace();
	const sound = startHost(place, ["--name", "twin", "--", process.execPath, ECHO]);
	const broken = startHost(place, ["--name", "twin", "--", "/no/such/command"]);
	t.after(() => Promise.all([sound.end(), broken.end()]));
	await sound.initialize();
	await until(() => readdirSync(join(place, "holdfast")).length === 2);
	const failed = await cli(place, ["rollout", "twin", "--all"]).catch((error) => error);
	assert.equal(failed.code, 1, failed.stdout);
	assert.match(failed.stdout, new RegExp(`^twin \\(${sound.child.pid}\\): generation 2 serves in \\d+ ms\n$`));
	assert.match(failed.stderr, new RegExp(`^holdfast rollout: twin \\(${broken.child.pid}\\): .+\n$`));
});

test("the host's own program is replaced in the same process, and the session goes on", async (t) => {
	const place = newPlace();
	const client = startHost(place, ["--name", "again", "--", process.execPath, ECHO]);
	t.after(() => client.end());
	await client.initialize();
	await client.request("tools/call", { name: "echo", arguments: { message: "before" } });
	const replaced = await cli(place, ["rollout", "again", "--host"]);
	assert.match(replaced.stdout, /^again: the installed program takes over; it was ready in \d+ ms\n$/);
	await client.request("tools/call", { name: "echo", arguments: { message: "after" } });
	const [status] = JSON.parse((await cli(place, ["status", "--json"])).stdout) as [
		{ pid: number; health: { generation: number; restartCount: number } },
	];
	assert.equal(status.pid, client.child.pid);
	assert.equal(status.health.generation, 2);
	assert.deepEqual(readdirSync(join(place, "holdfast")), [`again.${client.child.pid}.sock`]);
	const { stdout } = await run("ps", ["-A", "-o", "ppid=,stat="]);
	const children = stdout.split("\n").filter((line) => line.trim().startsWith(`${client.child.pid} `));
	assert.ok(children.length > 0);
	// What the program before had started and not waited for would stay as a dead process until the host ends.
	assert.doesNotMatch(children.join("\n"), /Z/);
});

test("the control socket is the user's own and goes with the host", async () => {
	const place = newPlace();
	const client = startHost(place, ["--name", "sock", "--", process.execPath, ECHO]);
	await client.initialize();
	await client.request("ping", {});
	const folder = join(place, "holdfast");
	await until(() => existsSync(folder) && readdirSync(folder).length === 1);
	const [socket = ""] = readdirSync(folder);
	assert.equal(statSync(folder).mode & 0o777, 0o700);
	assert.equal(statSync(join(folder, socket)).mode & 0o777, 0o600);
	await client.end();
	assert.deepEqual(readdirSync(folder), []);
});

test("the socket of a host that was killed is removed when somebody looks", async () => {
	const place = newPlace();
	const folder = join(place, "holdfast");
	mkdirSync(folder, { mode: 0o700 });
	writeFileSync(join(folder, "dead.999999999.sock"), "");
	assert.equal(
		(await cli(place, ["status"])).stdout,
		"you run no host, and no server behind a gateway (one without servers is not listed); holdfast up starts some\n",
	);
	assert.deepEqual(readdirSync(folder), []);
});

test("a client of a server that cannot be started is told why", async (t) => {
	const place = newPlace();
	const client = startHost(place, ["--name", "gone", "--", "/no/such/command"]);
	t.after(() => client.end());
	const clientInfo = { name: "t", version: "1" };
	const answer = await client.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
	assert.match(JSON.stringify(answer), /"detail":"[^"]*command_not_found, [^"]*\/no\/such\/command/);
});

test("every command explains itself in lines that a terminal of eighty columns has room for", async () => {
	const place = newPlace();
	const overview = (await quickly(place, ["--help"])).stdout;
	const names = [...overview.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name = ""]) => name);
	assert.ok(names.includes("host") && names.includes("status"));
	for (const name of names) {
		const help = await quickly(place, [name, "--help"]);
		assert.equal(help.code, 0);
		assert.match(help.stdout, new RegExp(`^Usage: holdfast ${name}`));
		assert.deepEqual(
			help.stdout.split("\n").filter((line) => line.length > 80),
			[],
		);
	}
	assert.match((await quickly(place, ["--version"])).stdout, /^holdfast \d+\.\d+\.\d+\n$/);
});

test("a check of the skill names the command that makes just that link", async () => {
	const place = newPlace();
	for (const choice of [["--agent", "cursor"], ["--agent", "claude-code"], ["--to", join(place, "my skills")], []]) {
		const missing = await quickly(place, ["skill", "link", ...choice, "--check"]);
		const words = /holdfast (skill link.*) makes it$/.exec(missing.stdout.trim())?.[1]?.replaceAll("'", "") ?? "";
		assert.equal(words, ["skill", "link", ...choice].join(" "));
		assert.equal((await quickly(place, ["skill", "link", ...choice])).code, 0);
		assert.equal((await quickly(place, ["skill", "link", ...choice, "--check"])).code, 0);
	}
	assert.equal((await quickly(place, ["skill", "link", "--agent", "claude", "--check"])).code, 0);
	assert.match(
		(await quickly(place, ["skill", "link", "--agent", "curser"])).stderr,
		/got curser; did you mean cursor\?\n$/,
	);
});

test("the skill is linked, found in place, and a real folder is never touched", async () => {
	const place = newPlace();
	const to = join(place, "skills");
	assert.equal((await quickly(place, ["skill", "link", "--to", to, "--check"])).code, 1);
	assert.equal((await quickly(place, ["skill", "link", "--to", to])).code, 0);
	assert.match(readFileSync(join(to, "mcp-bootstrap", "SKILL.md"), "utf8"), /^---\nname: mcp-bootstrap\n/);
	assert.equal((await quickly(place, ["skill", "link", "--to", to, "--check"])).code, 0);
	const real = join(place, "real");
	mkdirSync(join(real, "mcp-bootstrap"), { recursive: true });
	writeFileSync(join(real, "mcp-bootstrap", "mine.md"), "mine");
	const refused = await quickly(place, ["skill", "link", "--to", real]);
	assert.equal(refused.code, 1);
	assert.equal(readFileSync(join(real, "mcp-bootstrap", "mine.md"), "utf8"), "mine");
});

function newPlace(): string {
	return mkdtempSync(join(base, "place-"));
}

function environment(place: string): NodeJS.ProcessEnv {
	return { ...process.env, HOME: place, XDG_RUNTIME_DIR: place, XDG_STATE_HOME: join(place, "state"), NO_COLOR: "1" };
}

async function cli(place: string, args: readonly string[]) {
	try {
		const done = await run(process.execPath, [BIN, ...args], { env: environment(place) });
		return { code: 0, ...done };
	} catch (error) {
		const failed = error as { code: number; stdout: string; stderr: string };
		return { code: failed.code, stdout: failed.stdout, stderr: failed.stderr };
	}
}

/** Without a process of its own. */
async function quickly(place: string, args: readonly string[]) {
	const { status, ...said } = await inProcess(args, { env: environment(place), cwd: place });
	return { code: status, ...said };
}

/** Of the only host there. */
async function generation(place: string): Promise<number | undefined> {
	const [host] = JSON.parse((await cli(place, ["status", "--json"])).stdout) as [{ health: { generation: number } }?];
	assert.ok(host, "the host is there");
	return host.health.generation;
}

function olderNode(): string | undefined {
	const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
	return places.find((node) => {
		const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
		return stdout?.startsWith("v") && !isNewEnough(stdout.slice(1));
	});
}

function startHost(place: string, args: readonly string[], node: string = process.execPath) {
	const child: ChildProcess = spawn(node, [BIN, "host", ...args], {
		env: environment(place),
		stdio: ["pipe", "pipe", "ignore"],
	});
	started.push(child);
	const waiting = new Map<number, (value: unknown) => void>();
	let partial = "";
	let ids = 0;
	child.stdout?.on("data", (chunk: Buffer) => {
		const lines = (partial + chunk.toString()).split("\n");
		partial = lines.pop() ?? "";
		for (const line of lines) {
			const message = JSON.parse(line) as { id?: number; method?: string };
			if (message.method === undefined) waiting.get(message.id ?? -1)?.(message);
		}
	});
	const request = (method: string, params: unknown) =>
		new Promise((resolve) => {
			waiting.set(++ids, resolve);
			child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: ids, method, params })}\n`);
		});
	return {
		child,
		request,
		async initialize() {
			const clientInfo = { name: "t", version: "1" };
			await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
			child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
		},
		async end() {
			child.stdin?.end();
			await until(() => child.exitCode !== null || child.signalCode !== null);
		},
	};
}
