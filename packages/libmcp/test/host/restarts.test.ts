// Which ends of a worker count against it, and which do not.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryFolder } from "../../../../e2e/temporaryFolder.ts";
import { until } from "../../../../e2e/until.ts";
import { parseContracts } from "../../src/host/settings/contractFile.ts";
import type { TelemetryRecord } from "../../src/telemetry/record.ts";
import { Bench, FIXTURE_COMMAND, faultOf, textOf } from "./harness.ts";

// A few at once, since each mostly waits for workers to start and end.
void describe("restarts", { concurrency: 3 }, () => {
	test("a restart on request is no failure of the worker, however often it is asked for", async (t) => {
		const bench = new Bench(t, { restarts: { intensity: 1 } });
		await bench.initialize();
		for (let generation = 2; generation < 6; generation++) {
			await bench.host.restart();
			await until(() => bench.host.state().ready && bench.host.state().generation === generation, "the next worker");
			assert.equal(bench.host.state().breaker, "closed");
		}
		assert.deepEqual(faultOf(await bench.tool("read")), {});
	});

	test("a call that may run again is answered, however often somebody asks for a restart meanwhile", async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		const reading = bench.tool("read", { key: "long", ms: 1_500 });
		for (let tries = 1; tries < 4; tries++) {
			await until(() => bench.effects("read").length === tries, "the call is in flight");
			await bench.host.restart();
		}
		assert.deepEqual(faultOf(await reading), {});
	});

	test("the calls beside a long one are served after a restart, however often somebody has asked for one", async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		void bench.tool("read", { key: "long", do: "hang" });
		for (let tries = 1; tries < 6; tries++) {
			await until(() => bench.effects("read").length === tries, "the call is in flight");
			await bench.host.restart();
		}
		const beside = bench.request("tools/call", { name: "read", arguments: {} }, "beside");
		await until(() => bench.answers("beside").length === 1, "the call beside it is answered");
		assert.deepEqual(faultOf(await beside), {});
	});

	test("a worker that has lived long enough is proven, though nobody called it", async (t) => {
		const bench = new Bench(t, { restarts: { intensity: 1, periodMs: 60_000, stableMs: 200 } });
		await bench.initialize();
		for (let generation = 2; generation < 6; generation++) {
			bench.killWorker();
			await until(() => bench.host.state().ready && bench.host.state().generation === generation, "the next worker");
			await delay(400);
		}
		assert.equal(bench.host.state().breaker, "closed");
		assert.deepEqual(faultOf(await bench.tool("read")), {});
	});

	test("a release that mends the server closes the breaker, and is not kept waiting by it", async (t) => {
		const folder = temporaryFolder(t);
		const broken = join(folder, "broken");
		const bench = new Bench(t, { restarts: { intensity: 1, coolDownMs: 60_000 } }, { BROKEN_WHILE: broken });
		await bench.initialize();
		writeFileSync(broken, "");
		bench.killWorker();
		await until(() => bench.host.state().breaker === "open", "the breaker is open");
		assert.equal(faultOf(await bench.tool("read")).code, "worker_unavailable");
		assert.equal((await bench.host.rollout({ ...FIXTURE_COMMAND, env: { BROKEN_WHILE: "" } })).ok, true);
		assert.equal(bench.host.state().breaker, "closed");
		assert.deepEqual(faultOf(await bench.tool("read")), {});
	});

	test("a restart on request does not wait for the end of the pause after too many failures", async (t) => {
		const folder = temporaryFolder(t);
		const broken = join(folder, "broken");
		writeFileSync(broken, "");
		const bench = new Bench(t, { restarts: { intensity: 1, coolDownMs: 60_000 } }, { BROKEN_WHILE: broken });
		await until(() => bench.host.state().breaker === "open", "the breaker is open");
		await bench.host.restart();
		await until(() => bench.host.state().breaker === "open", "it is still broken, and the breaker is open again");
		rmSync(broken);
		await bench.host.restart();
		assert.equal(bench.host.health().state, "recovering");
		await bench.initialize();
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
		assert.equal(bench.host.state().breaker, "closed");
	});

	test("a call that was lost before its tool was known is decided when no worker is left to ask", async (t) => {
		const folder = temporaryFolder(t);
		const broken = join(folder, "broken");
		const bench = new Bench(t, { restarts: { intensity: 1, coolDownMs: 60_000 } }, { BROKEN_WHILE: broken });
		const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
		// Without the notification that follows it the host may not ask for the tools.
		await bench.request("initialize", params);
		writeFileSync(broken, "");
		assert.equal(faultOf(await bench.tool("pay", { key: "a", do: "die" })).class, "ambiguous_outcome");
		assert.equal(bench.host.state().breaker, "open");
	});

	test("a call in doubt that no worker is left to probe is not said to be safe to repeat", async (t) => {
		const broken = join(mkdtempSync(join(tmpdir(), "libmcp-broken-")), "broken");
		t.after(() => rmSync(dirname(broken), { recursive: true, force: true }));
		const probe = { tool: "job_state", arguments: {}, answer: "/state", done: ["done"], safe: ["absent"] };
		const contract = parseContracts({ tools: { job: { recovery: "probe_required", probe } } });
		const bench = new Bench(t, { contract, restarts: { intensity: 1, coolDownMs: 60_000 } }, { BROKEN_WHILE: broken });
		await bench.initialize();
		const job = bench.tool("job", { do: "hang" });
		const read = bench.tool("read", { do: "hang" });
		await until(() => bench.effects("job").length + bench.effects("read").length === 2, "both calls have begun");
		writeFileSync(broken, "");
		bench.killWorker();
		assert.deepEqual(
			[faultOf(await job), faultOf(await read)].map((fault) => [fault.code, fault.retry]),
			[
				["outcome_unknown", "unsafe"],
				["worker_unavailable", "later"],
			],
		);
		assert.equal((await read).error?.message.includes("not started"), false);
	});

	for (const independent of [false, true]) {
		const beside = independent ? "calls that need not wait for it" : "calls that wait for it";
		test(`a probe that ends its worker is asked twice, then its call is ambiguous, and ${beside} are served`, async (t) => {
			const probe = {
				tool: "job_state",
				arguments: {},
				answer: "/state",
				done: ["done"],
				safe: ["absent"],
				independent,
			};
			const contract = parseContracts({ tools: { job: { recovery: "probe_required", probe } } });
			const bench = new Bench(t, { contract }, { JOB_STATE: "deadly" });
			await bench.initialize();
			const job = bench.tool("job", { do: "die" });
			await until(() => bench.effects("job").length === 1, "the job has begun");
			const read = bench.tool("read", { ms: 300 });
			const fault = faultOf(await job);
			assert.equal(fault.code, "outcome_unknown");
			assert.match(String(fault.detail), /2 workers ended while probe job_state was asked$/);
			assert.match(textOf(await read), /^\d+$/);
			assert.equal(bench.host.state().generation, 4);
			assert.equal(bench.host.state().breaker, "closed");
		});
	}

	test("the record of a call that was lost with its worker names that worker", async (t) => {
		const bench = new Bench(t, {});
		const records: TelemetryRecord[] = [];
		bench.host.events.addSink({ record: (record) => void records.push(record), close() {} });
		await bench.initialize();
		assert.equal(faultOf(await bench.tool("pay", { key: "a", do: "die" })).code, "outcome_unknown");
		const lost = records.find((record) => record.event === "call" && record.outcome === "fault");
		assert.equal(lost?.generation, 1);
	});

	test("of a server that never starts the client is told so, how it ended and where to look", async (t) => {
		const said: string[] = [];
		const args = ["-e", 'console.error("KEY: expected a value"); process.exitCode = 3'];
		const bench = new Bench(t, { command: process.execPath, args, onWorkerStderr: (line) => said.push(line) });
		const answer = await bench.request("initialize", { protocolVersion: "2025-11-25" });
		assert.match(answer.error?.message ?? "", /^The server ends before it answers; .* standard error/);
		const { class: kind, code, detail, retry } = faultOf(answer);
		assert.deepEqual([kind, code, retry], ["process", "start_failed", "never"]);
		assert.match(String(detail), /^initialize was tried 2 times and each worker ended: exit code 3$/);
		assert.ok(said.length >= 2 && said.every((line) => line === "KEY: expected a value"), said.join());
	});

	test("a call that came with the handshake is not passed on to a worker that dies of it, and runs on the next", async (t) => {
		const broken = join(mkdtempSync(join(tmpdir(), "libmcp-broken-")), "broken");
		t.after(() => rmSync(dirname(broken), { recursive: true, force: true }));
		writeFileSync(broken, "");
		const bench = new Bench(t, {}, { BROKEN_WHILE: broken });
		bench.host.events.once("restart", () => rmSync(broken));
		const session = bench.request("initialize", { protocolVersion: "2025-11-25" });
		const paid = bench.tool("pay", { key: "a" });
		assert.equal((await session).result?.protocolVersion, "2025-11-25");
		assert.deepEqual(faultOf(await paid), {});
		assert.equal(bench.effects("pay").length, 1);
	});

	test("a call that came with the handshake of a server that never starts fails with it, and never ran", async (t) => {
		const bench = new Bench(t, {}, { MODE: "die-at-start" });
		const answers = [bench.request("initialize", { protocolVersion: "2025-11-25" }), bench.tool("pay", { key: "a" })];
		const faults = (await Promise.all(answers)).map(faultOf);
		assert.deepEqual(
			faults.map(({ code, retry }) => [code, retry]),
			[
				["start_failed", "never"],
				["start_failed", "never"],
			],
		);
	});

	test("a call in doubt waits for a list of tools that is refused at first, and the tools are announced when it comes", async (t) => {
		const bench = new Bench(t, {}, { MODE: "no-tools-at-first" });
		await bench.request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo: { name: "test" },
		});
		bench.notify("notifications/initialized");
		await until(() => bench.host.health().lastFault?.code === "bad_catalogue", "the refusal is noticed");
		const reading = bench.tool("read", { ms: 200 });
		await until(() => bench.effects("read").length === 1, "the call is in flight");
		bench.killWorker();
		assert.match(textOf(await reading), /^\d+$/);
		assert.equal(bench.effects("read").length, 2);
		await until(() => bench.notifications("notifications/tools/list_changed").length === 1, "the tools are announced");
	});

	test("a restarted server that sets up its tools announces nothing new, unless they differ", async (t) => {
		const folder = temporaryFolder(t);
		const [tools, readings] = [join(folder, "tools"), join(folder, "readings")];
		writeFileSync(tools, "one");
		const bench = new Bench(t, {
			command: process.execPath,
			args: ["-e", ANNOUNCING, tools, readings],
			opsTools: false,
		});
		const changes = () => bench.notifications("notifications/tools/list_changed").length;
		await bench.initialize();
		await until(() => changes() === 3, "the server's own announcements");
		for (const [listed, expected] of [
			["one", 3],
			["one two", 4],
		] as const) {
			// The host reads the lists after an announcement, at most once a second.
			await until(() => Date.now() - statSync(readings).mtimeMs > 2_000, "the lists are read");
			writeFileSync(tools, listed);
			writeFileSync(readings, "");
			bench.killWorker();
			await until(() => readFileSync(readings, "utf8").length > 0, "the next worker's lists are read");
			await bench.tool("one");
			await until(() => changes() >= expected, "what differs is announced");
			await delay(300);
			assert.equal(changes(), expected, listed);
		}
	});

	test("a change of lists that comes with a restart is told, though the last worker had just announced one of its own", async (t) => {
		const bench = new Bench(t, { command: process.execPath, args: ["-e", CHANGING] });
		const changes = () => bench.notifications("notifications/tools/list_changed").length;
		await bench.initialize();
		for (let n = 1; n <= 2; n++) {
			await bench.tool("old");
			await until(() => changes() === n, "its own announcement");
		}
		bench.killWorker();
		await bench.tool("new");
		await until(() => changes() === 3, "the change is told");
	});
});

/** Announces its tools one by one, in the course of its handshake, as some servers do. */
const ANNOUNCING = `
const { appendFileSync, readFileSync } = require("node:fs");
const [, tools, readings] = process.argv;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") {
		send({ method: "notifications/tools/list_changed" });
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "announcing", version: "1" } } });
	} else if (method === "notifications/initialized") {
		for (let n = 0; n < 2; n++) send({ method: "notifications/tools/list_changed" });
	} else if (method === "tools/list") {
		appendFileSync(readings, "r");
		send({ id, result: { tools: readFileSync(tools, "utf8").split(" ").map((name) => ({ name, inputSchema: { type: "object" } })) } });
	} else if (id !== undefined) send({ id, result: { content: [] } });
});`;

/** Its second worker has another tool, and takes longer to start than a change of lists takes to be read. */
const CHANGING = `
const { existsSync, writeFileSync } = require("node:fs");
const again = existsSync(process.env.EFFECTS);
writeFileSync(process.env.EFFECTS, "");
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const begin = () => require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const capabilities = { tools: { listChanged: true } };
	if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "changing", version: "1" } } });
	if (method === "tools/list") say({ id, result: { tools: [{ name: again ? "new" : "old", annotations: { readOnlyHint: true } }] } });
	if (method !== "tools/call") return;
	if (!again) say({ method: "notifications/tools/list_changed" });
	say({ id, result: { content: [] } });
});
setTimeout(begin, again ? 2_000 : 0);`;
