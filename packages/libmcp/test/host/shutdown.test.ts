import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import type { HostOptions } from "../../src/host/settings/options.ts";
import { Bench, faultOf } from "./harness.ts";

const GRACE_MS = 400;

for (const way of ["end of input", "SIGTERM", "SIGINT", "SIGHUP"] as const) {
	verifies("000-p2-1-no-orphans", `on ${way} what is in flight is answered and no descendant is left`, async (t) => {
		const { host, family, lines } = await startFamily(t);
		host.stdin?.write(request(1, 400));
		await until(() => family().length === 3, "the family is there");
		await new Promise((resolve) => setTimeout(resolve, 100));
		const exited = once(host, "exit");
		if (way === "end of input") host.stdin?.end();
		else host.kill(way);
		const [code, signal] = await exited;
		assert.deepEqual([code, signal], [0, null]);
		assert.deepEqual(lines(), ['{"jsonrpc":"2.0","id":1,"result":{"late":true}}']);
		assert.deepEqual(family().filter(isAlive), []);
	});
}

// A few at once, since each mostly waits for its host to end.
void describe("ends of a host", { concurrency: 3 }, () => {
	test("a client that asks and closes its end gets its answer, however long the server takes, unless the host is told to end", async (t) => {
		const patient = await startFamily(t);
		patient.host.stdin?.end(request(1, 2_500));
		await once(patient.host, "exit");
		assert.deepEqual(patient.lines(), ['{"jsonrpc":"2.0","id":1,"result":{"late":true}}']);

		const { host, family, lines } = await startFamily(t);
		host.stdin?.end(request(1, 3_500));
		await until(() => family().length === 3, "the family is there");
		host.kill("SIGTERM");
		await once(host, "exit");
		assert.match(lines().join(), /"code":"outcome_unknown"/);
	});

	test("a call that is still in flight at the end fails by its contract: only of one that may not run again is the outcome said to be unknown", async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		const read = bench.tool("read", { do: "hang" });
		const keyed = bench.tool("put", { key: "a", do: "hang" });
		const keyless = bench.tool("put", { do: "hang" });
		const paid = bench.tool("pay", { do: "hang" });
		await until(() => bench.effects("pay").length === 1, "the calls are in flight");
		await bench.close();
		const told = (await Promise.all([read, keyed, keyless, paid])).map(faultOf).map(({ code, retry }) => [code, retry]);
		assert.deepEqual(told, [
			["host_closing", "later"],
			["host_closing", "later"],
			["outcome_unknown", "unsafe"],
			["outcome_unknown", "unsafe"],
		]);
	});

	for (const [tool, ms, done, pipe] of [
		["read", 8_000, [], false],
		["read", 8_000, [], true],
		["pay", 2_000, ["pay done"], false],
		["pay", 2_000, ["pay done"], true],
	] as const) {
		const what =
			tool === "read" ? "does not wait for what only reads" : "lets a payment in flight finish, and begins no other";
		// Elsewhere the end of a pipe shows with the next output only.
		const skip = pipe && process.platform !== "linux";
		test(`a host whose client has vanished from its ${pipe ? "pipe" : "socket"} ${what}`, { skip }, async (t) => {
			const folder = mkdtempSync(join(tmpdir(), "libmcp-vanished-"));
			t.after(() => rmSync(folder, { recursive: true, force: true }));
			const file = join(folder, "done");
			const options = { command: process.execPath, args: ["-e", TELLER], env: { DONE: file }, graceMs: GRACE_MS };
			const output = pipe ? namedPipe(join(folder, "output")) : undefined;
			const host = startHost(t, { ...options, maxInFlight: 1 }, output?.writer);
			const stdout = output?.reader ?? host.stdout;
			const said = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);
			const send = await greeted(host, stdout);
			for (const id of [1, 2]) send({ id, method: "tools/call", params: { name: tool, arguments: { ms } } });
			await until(() => said().length === 1, "the first call is in flight");
			const exited = once(host, "exit");
			host.stdin?.destroy();
			stdout?.destroy();
			assert.deepEqual(await exited, [0, null]);
			assert.deepEqual(said(), [`${tool} begun`, ...done]);
		});
	}

	test("a client that stops reading for good does not keep the host from hearing how a payment ended", async (t) => {
		const folder = mkdtempSync(join(tmpdir(), "libmcp-unread-"));
		t.after(() => rmSync(folder, { recursive: true, force: true }));
		const env = { DONE: join(folder, "done") };
		const command = { command: process.execPath, args: ["-e", TELLER], env, graceMs: GRACE_MS };
		const host = startHost(t, { ...command, name: "unread", telemetryDirectory: folder });
		const send = await greeted(host, host.stdout);
		send({ id: 1, method: "tools/call", params: { name: "pay", arguments: { ms: 1_000 } } });
		send({ id: 2, method: "tools/call", params: { name: "read", arguments: { ms: 300 } } });
		const exited = once(host, "exit");
		host.stdout?.destroy();
		assert.deepEqual(await exited, [0, null]);
		const log = readFileSync(join(folder, "unread.jsonl"), "utf8");
		assert.match(log, /"id":"1",[^\n]*"outcome":"ok","tool":"pay"/);
	});

	verifies("000-p2-1-host-killed-no-orphans", "a killed host leaves no descendant either", async (t) => {
		const { host, family } = await startFamily(t);
		await until(() => family().length === 3, "the family is there");
		const exited = once(host, "exit");
		host.kill("SIGKILL");
		await exited;
		await until(() => family().filter(isAlive).length === 0, "the guardian has ended the family");
	});
});

/** One tool that only reads and one that pays; each takes its time, and says in a file when it has begun and ended. */
const TELLER = `
const { appendFileSync } = require("node:fs");
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = [{ name: "read", annotations: { readOnlyHint: true } }, { name: "pay" }];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "teller", version: "1" } } });
	if (method === "tools/list") say({ id, result: { tools: tools.map((tool) => ({ ...tool, inputSchema: { type: "object" } })) } });
	if (method !== "tools/call") return;
	appendFileSync(process.env.DONE, params.name + " begun\\n");
	setTimeout(() => {
		appendFileSync(process.env.DONE, params.name + " done\\n");
		say({ id, result: { content: [] } });
	}, params.arguments.ms);
});`;

/** Says more than anybody wants to know, on both streams. */
const FLOODING = `
const note = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { data: "n".repeat(50000) } }) + "\\n";
setInterval(() => process.stderr.write("a line for the log\\n".repeat(3000)), 1);
setInterval(() => process.stdout.writableLength < 1e6 && process.stdout.write(note), 1);
process.stdin.on("data", () => {});`;

test("a client that reads nothing can neither fill the host's memory nor keep it from ending", async (t) => {
	const options = { command: process.execPath, args: ["-e", FLOODING], graceMs: GRACE_MS };
	const main = fileURLToPath(new URL("../scenarios/hostProcess.ts", import.meta.url));
	const host = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, JSON.stringify(options)], {
		stdio: "pipe",
	});
	t.after(() => host.kill("SIGKILL"));
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	const memory = process.platform === "linux" ? readFileSync(`/proc/${host.pid}/status`, "utf8") : "VmRSS: 0 kB";
	// It stands at 110 MB, half of it Node's own program; one that keeps what its worker prints grows by 60 MB a second.
	assert.ok(Number(/VmRSS:\s+(\d+)/.exec(memory)?.[1]) < 180_000, memory);
	const exited = once(host, "exit");
	host.stdin.end();
	assert.deepEqual(await exited, [0, null]);
});

async function startFamily(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-family-"));
	const file = join(folder, "family");
	const script = fileURLToPath(new URL("./treeServer.ts", import.meta.url));
	const options = {
		command: process.execPath,
		args: ["--disable-warning=ExperimentalWarning", script],
		env: { FAMILY: file },
		graceMs: GRACE_MS,
		opsTools: false,
	};
	const host = startHost(t, options);
	const lines = linesOf(host.stdout);
	const family = (): number[] => (existsSync(file) ? (JSON.parse(readFileSync(file, "utf8") || "[]") as number[]) : []);
	t.after(async () => {
		host.kill("SIGKILL");
		await until(() => family().filter(isAlive).length === 0, "nothing is left").catch(() => {
			for (const pid of family().filter(isAlive)) process.kill(pid, "SIGKILL");
		});
		rmSync(folder, { recursive: true, force: true });
	});
	return { host, family, lines };
}

/** What Node gives a child for its output is a socket; most other clients give it a pipe. */
function namedPipe(path: string): { readonly reader: Socket; readonly writer: number } {
	execFileSync("mkfifo", [path]);
	const reader = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) });
	return { reader, writer: openSync(path, constants.O_WRONLY) };
}

function startHost(t: TestContext, options: Partial<HostOptions>, stdout: "pipe" | number = "pipe"): ChildProcess {
	const main = fileURLToPath(new URL("../scenarios/hostProcess.ts", import.meta.url));
	const host = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, JSON.stringify(options)], {
		stdio: ["pipe", stdout, "inherit"],
	});
	if (typeof stdout === "number") closeSync(stdout);
	t.after(() => host.kill("SIGKILL"));
	return host;
}

/** Makes the handshake and waits until the tools are known; returns how to send more. */
async function greeted(host: ChildProcess, stdout: Readable | null): Promise<(message: object) => void> {
	const lines = linesOf(stdout);
	const send = (message: object): void => void host.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	send({ id: "init", method: "initialize", params: { protocolVersion: "2025-11-25" } });
	send({ method: "notifications/initialized" });
	send({ id: "list", method: "tools/list" });
	await until(() => lines().some((line) => line.includes('"list"')), "the tools are known");
	return send;
}

function linesOf(stdout: Readable | null): () => string[] {
	let output = "";
	stdout?.on("data", (chunk: Buffer) => {
		output += chunk.toString();
	});
	return () => output.split("\n").filter(Boolean);
}

function request(id: number, ms: number): string {
	return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x", arguments: { ms } } })}\n`;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// A zombie nobody has waited for yet is not a process that runs.
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
	} catch {
		return false;
	}
}
