import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { parseContracts } from "../../src/host/settings/contractFile.ts";
import { resolvePointer } from "../../src/replay/jsonPointer.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

test("list changes are promised at initialize and the rest of the answer stays as it came", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const line = bench.raw[0] ?? "";
	assert.match(line, /"tools":\{"listChanged":true\}/);
	assert.match(line, /"resources":\{"subscribe":true,"listChanged":true\}/);
	assert.match(line, /"experimental":\{"exact":\{"n":1.5\}\}/);
});

test("the host's tools stand at the end of the last page only, and are gone when switched off", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const first = await bench.request("tools/list");
	const last = await bench.request("tools/list", { cursor: "2" });
	const names = (tools: unknown) => (Array.isArray(tools) ? tools.map((tool: { name: string }) => tool.name) : []);
	assert.deepEqual(names(first.result?.tools), ["read", "pay"]);
	assert.deepEqual(names(last.result?.tools).slice(-2), ["holdfast_health", "holdfast_telemetry"]);
	const plain = new Bench(t, { opsTools: false });
	await plain.initialize();
	const bare = await plain.request("tools/list", { cursor: "2" });
	assert.deepEqual(names(bare.result?.tools), ["put", "bind", "job", "job_state"]);
});

verifies(
	[
		"002-health-common-core",
		"002-telemetry-common-core",
		"002-porcelain-default-render",
		"002-porcelain-json-available",
	],
	"health and telemetry are answered with no worker alive, as porcelain unless json is asked for",
	async (t) => {
		const bench = new Bench(t, { restarts: { intensity: 0, coolDownMs: 60_000 } }, { MODE: "die-at-start" });
		await until(() => bench.host.state().breaker === "open", "no worker is left");
		const health = await bench.tool("holdfast_health");
		assert.match(
			textOf(health),
			/^fixtureServer is failing, generation 1, no restarts, last fault process: worker_crashed\n/,
		);
		assert.equal(resolvePointer(health, "/result/structuredContent/state"), "failing");
		const json = await bench.tool("holdfast_health", { render: "json" });
		assert.deepEqual(Object.keys(JSON.parse(textOf(json))).includes("restartCount"), true);
		const telemetry = await bench.tool("holdfast_telemetry");
		assert.match(textOf(telemetry), /^fixtureServer: 3 requests, 3 ok, no errors, 0 cancelled, 0 in flight/);
		const wrong = await bench.tool("holdfast_health", { render: "xml" });
		assert.equal(wrong.result?.isError, true);
		for (const tool of ["holdfast_health", "holdfast_telemetry"]) {
			const other = await bench.tool(tool, { render: "json", format: "json" });
			assert.deepEqual([other.result?.isError, textOf(other)], [true, 'arguments: expected render only, got "format"']);
		}
	},
);

const TOOLLESS = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	const known = method === "server/discover" || method === "resources/list";
	const result = { resultType: "complete", capabilities: { resources: {} }, resources: [] };
	const error = { code: -32601, message: "Method not found" };
	console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(known ? { result } : { error }) }));
});`;

for (const [label, first] of [
	["asked", "server/discover"],
	["never asked", "resources/list"],
] as const) {
	test(`a modern client that ${label} what a server without tools is lists the host's own`, async (t) => {
		const bench = new Bench(t, { command: process.execPath, args: ["-e", TOOLLESS] });
		const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
		await bench.request(first, { _meta });
		const { tools, ...rest } = (await bench.request("tools/list", { _meta })).result ?? {};
		assert.deepEqual(rest, { resultType: "complete", ttlMs: 0, cacheScope: "private" });
		assert.deepEqual(
			[resolvePointer(tools, "/0/name"), resolvePointer(tools, "/1/name")],
			["holdfast_health", "holdfast_telemetry"],
		);
	});
}

const WITNESS = `
const seen = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	seen.push(method);
	const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, tools: [], seen };
	if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});`;

test("a client that has asked what the server is may still begin a handshake, and the server sees all of it", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", WITNESS] });
	const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
	await bench.request("server/discover", { _meta });
	await bench.request("server/discover", { _meta });
	await bench.initialize();
	const { seen } = (await bench.request("tools/list")).result ?? {};
	assert.ok(Array.isArray(seen));
	assert.deepEqual(seen.slice(0, 4), ["server/discover", "server/discover", "initialize", "notifications/initialized"]);
});

test("a server with codes of its own has one in every error of its host, beside the fault", async (t) => {
	const bench = new Bench(t, { errorCode: ({ code }) => `OWN_${code}` });
	await bench.initialize();
	bench.write("{");
	void bench.tool("read", { ms: 300 });
	bench.write('{"jsonrpc":"2.0","id":3,"method":"tools/list"}');
	await until(() => bench.answers(null).length === 2, "both refusals");
	assert.deepEqual(
		bench.answers(null).map(({ error }) => [error?.data?.code, resolvePointer(error, "/data/fault/code")]),
		[
			["OWN_bad_json", "bad_json"],
			["OWN_duplicate_id", "duplicate_id"],
		],
	);
	void bench.host.close();
	assert.equal((await bench.tool("read")).error?.data?.code, "OWN_host_closing");
});

test("asking for its health changes nothing in it, and is not one of the calls in flight", async (t) => {
	const bench = new Bench(t, { restarts: { intensity: 0, coolDownMs: 60_000 } }, { MODE: "die-at-start" });
	await until(() => bench.host.state().breaker === "open", "no worker is left");
	const ask = async () => {
		const health = (await bench.tool("holdfast_health")).result?.structuredContent;
		return ["/consecutiveFailures", "/inFlight", "/waiting"].map((field) => resolvePointer(health, field));
	};
	assert.deepEqual(await ask(), [1, 0, 0]);
	assert.deepEqual(await ask(), [1, 0, 0]);
});

/** Takes a subscription and a log level once, and never again, as a server does whose resource is gone. */
const FORGETFUL = `
const { existsSync, writeFileSync } = require("node:fs");
const first = !existsSync(process.env.EFFECTS);
writeFileSync(process.env.EFFECTS, "");
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	if (method === "initialize") return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "forgetful", version: "1" } } });
	if (method === "tools/list") return send({ id, result: { tools: [{ name: "any", annotations: { readOnlyHint: true } }] } });
	if (method === "tools/call" || first) return send({ id, result: { content: [{ type: "text", text: "served" }] } });
	send({ id, error: { code: -32002, message: "no such resource" } });
});`;

test("a subscription the next worker refuses is given up and told, not the session", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", FORGETFUL], restarts: { intensity: 1 } });
	await bench.initialize();
	await bench.request("resources/subscribe", { uri: "file:///gone" });
	await bench.request("logging/setLevel", { level: "debug" });
	const told: string[] = [];
	bench.host.events.on("fault", (fault) => void (fault.code === "restore_refused" && told.push(fault.detail)));
	bench.killWorker();
	assert.equal(textOf(await bench.tool("any")), "served");
	assert.deepEqual(told, [
		"logging/setLevel, saved of the session, was refused: no such resource",
		"resources/subscribe file:///gone, saved of the session, was refused: no such resource",
	]);
	bench.killWorker();
	assert.equal(textOf(await bench.tool("any")), "served");
	assert.equal(told.length, 2);
});

test("log level, subscriptions and journaled calls are there before the first call on a new worker", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	await bench.request("logging/setLevel", { level: "debug" });
	await bench.request("resources/subscribe", { uri: "file:///a" });
	await bench.tool("bind", { key: "project", n: 1 });
	await bench.tool("bind", { key: "project", n: 2 });
	await bench.tool("bind", { key: "other", n: 3 });
	bench.killWorker();
	const memory: unknown = JSON.parse(textOf(await bench.tool("read", { do: "memory" })));
	assert.deepEqual(memory, [
		["subscribed file:///a", "yes"],
		["project", "2"],
		["other", "3"],
		["level", "debug"],
	]);
	assert.equal(bench.effects("bind").length, 5);
});

/** A session with one journaled call, and the file while which workers refuse to repeat it. */
async function bound(t: TestContext): Promise<{ readonly bench: Bench; readonly unbound: string }> {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-unbound-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const unbound = join(folder, "unbound");
	const bench = new Bench(t, {}, { UNBOUND_WHILE: unbound });
	await bench.initialize();
	await bench.tool("bind", { key: "a", n: 1 });
	return { bench, unbound };
}

test("journaled calls that two workers refuse are given up and noted, and may be made again", async (t) => {
	const { bench, unbound } = await bound(t);
	await bench.tool("bind", { key: "b", n: 2 });
	const isNoted = () =>
		bench.host.health().notes.some((note) => /^new workers lack what these tools had set, .*: bind$/.test(note));
	writeFileSync(unbound, "");
	bench.killWorker();
	const memory = async (): Promise<unknown> => JSON.parse(textOf(await bench.tool("read", { do: "memory" })));
	assert.deepEqual(await memory(), [["level", "none"]]);
	assert.equal(bench.host.state().generation, 3);
	assert.equal(bench.host.telemetry().faults["protocol.restore_refused"], 3);
	assert.ok(isNoted());
	rmSync(unbound);
	await bench.tool("bind", { key: "a", n: 3 });
	assert.ok(isNoted());
	await bench.tool("bind", { key: "b", n: 4 });
	assert.ok(!isNoted());
	bench.killWorker();
	assert.deepEqual(await memory(), [
		["a", "3"],
		["b", "4"],
		["level", "none"],
	]);
});

test("a journaled call without its key of deduplication is not repeated, nor is the call that it replaced", async (t) => {
	const bind = { recovery: "deduplicated", key: "/token", journal: { key: "/key" } };
	const bench = new Bench(t, { contract: parseContracts({ tools: { bind } }) });
	await bench.initialize();
	const restored = async (): Promise<unknown> => {
		bench.killWorker();
		return JSON.parse(textOf(await bench.tool("read", { do: "memory" })))[0];
	};
	await bench.tool("bind", { key: "a", n: 1, token: "t" });
	assert.deepEqual(await restored(), ["a", "1"]);
	await bench.tool("bind", { key: "a", n: 2 });
	assert.deepEqual(await restored(), ["level", "none"]);
	assert.equal(bench.effects("bind").length, 3);
	assert.ok(
		bench.host.health().notes.some((note) => /^new workers lack what these tools had set, .*: bind$/.test(note)),
	);
});

test("a journaled call that one worker refuses is repeated on the next", async (t) => {
	const { bench, unbound } = await bound(t);
	bench.host.events.on("fault", ({ code }) => void (code === "restore_refused" && rmSync(unbound)));
	writeFileSync(unbound, "");
	bench.killWorker();
	assert.deepEqual(JSON.parse(textOf(await bench.tool("read", { do: "memory" }))), [
		["a", "1"],
		["level", "none"],
	]);
	assert.equal(bench.host.state().generation, 3);
});

test("requests of the server get the host's ids and those of a dead worker are withdrawn", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	await bench.tool("read", { do: "ask" });
	await until(() => bench.notifications("roots/list").length === 1, "the server has asked");
	const asked = bench.notifications("roots/list")[0];
	assert.match(String(asked?.id), /^holdfast-g1-1$/);
	bench.write(JSON.stringify({ jsonrpc: "2.0", id: asked?.id, result: { roots: [] } }));
	await until(() => bench.notifications("notifications/message").length === 1, "the server has its answer");
	await bench.tool("read", { do: "ask" });
	await until(() => bench.notifications("roots/list").length === 2, "the server has asked again");
	bench.killWorker();
	await until(() => bench.notifications("notifications/cancelled").length === 1, "the question is withdrawn");
	const orphan = bench.notifications("roots/list")[1];
	assert.equal(bench.notifications("notifications/cancelled")[0]?.params?.requestId, orphan?.id);
	bench.write(JSON.stringify({ jsonrpc: "2.0", id: orphan?.id, result: { roots: [] } }));
	assert.match(textOf(await bench.tool("read")), /^\d+$/);
	assert.equal(bench.notifications("notifications/message").length, 1);
});

test("ids come back with the spelling they had", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	for (const id of ["12345678901234567890", "1.0", '"1"', '"\\u0061"', "-0"]) {
		bench.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
		await until(() => bench.raw.some((line) => line.includes(`"id":${id},`)), `the answer to ${id}`);
	}
});

test("a modern client needs no handshake and survives a crash all the same", async (t) => {
	const bench = new Bench(t);
	const _meta = {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const call = (name: string, args: object) => bench.request("tools/call", { name, arguments: args, _meta });
	await bench.request("server/discover", { _meta });
	await bench.request("tools/list", { _meta });
	const before = textOf(await call("read", {}));
	const slow = call("read", { ms: 300 });
	const payment = call("pay", { ms: 300 });
	await until(() => bench.effects("pay").length === 1, "both are in flight");
	bench.killWorker();
	assert.equal(faultOf(await payment).class, "ambiguous_outcome");
	assert.notEqual(textOf(await slow), before);
	const unknown = await bench.request("ping", { _meta });
	assert.equal(unknown.error?.code, -32601);
});

verifies(
	["002-replay-probe-required-took-effect", "002-replay-probe-required-clear", "002-replay-probe-required-unknown"],
	"a probe decides whether a call in doubt is done, repeated or ambiguous",
	async (t) => {
		const contract = (timeoutMs: number) => ({
			tools: {
				job: {
					effect: { recovery: { kind: "probe_required" } },
					probe: {
						tool: "job_state",
						arguments: { key: "/key" },
						answer: "/content/0/text",
						done: ["done"],
						safe: ["absent"],
						timeoutMs,
					},
				},
			},
		});
		const run = async (state: string) => {
			const bench = new Bench(
				t,
				{ contract: contract(state === "who knows" ? 500 : 10_000) as never },
				{ JOB_STATE: state },
			);
			await bench.initialize();
			const answer = bench.tool("job", { key: "j", ms: 400 });
			await until(() => bench.effects("job").length === 1, "the job has begun");
			bench.killWorker();
			return { answer: await answer, attempts: bench.effects("job").length };
		};
		const [done, safe, unknown] = await Promise.all([run("done"), run("absent"), run("who knows")]);
		assert.match(textOf(done.answer), /had taken effect/);
		assert.equal(done.attempts, 1);
		assert.match(textOf(safe.answer), /^\d+$/);
		assert.equal(safe.attempts, 2);
		assert.equal(faultOf(unknown.answer).class, "ambiguous_outcome");
		assert.equal(unknown.attempts, 1);
	},
);
