import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { warnOfUnknownTools, warnOfUnreadableEffects } from "../../src/host/lists/contractWarnings.ts";
import { Bench, FIXTURE_COMMAND, faultOf, textOf } from "./harness.ts";

const safe = { effect: { recovery: { kind: "replay_safe" } } } as const;

test("a contract for a tool that the server does not list is said once, kept in health, and fails nothing", async (t) => {
	const said = stderrOf(t);
	const bench = new Bench(t, { contract: { tools: { raed: safe, read: safe } }, name: "orders" });
	assert.deepEqual(bench.host.health().notes, []);
	await bench.initialize();
	const note = 'contract: tools: the server lists no tool "raed"; did you mean read?';
	await until(() => bench.host.health().notes.includes(note), "the note");
	bench.killWorker();
	await until(() => bench.host.state().generation === 2 && bench.host.state().ready, "the next worker");
	// Its lists are read by the time it has answered.
	assert.equal((await bench.tool("read")).error, undefined);
	assert.match(textOf(await bench.tool("holdfast_health")), /^note: contract: tools: .* no tool "raed"/m);
	assert.deepEqual(said, [`[orders] ${note}\n`]);
	assert.deepEqual(bench.host.telemetry().faults, { "process.worker_killed": 1 });
});

test("the note names the file, and goes with the release that brings the tool", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-contract-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const contract = join(folder, "orders.json");
	writeFileSync(contract, '{"tools":{"new_in_2":{"recovery":"replay_safe"}}}');
	const said = stderrOf(t);
	const bench = new Bench(t, { contract, name: "orders" });
	await bench.initialize();
	await until(() => said.length > 0, "the warning");
	assert.deepEqual(said, [`[orders] ${contract}: tools: the server lists no tool "new_in_2"\n`]);
	const { ok } = await bench.host.rollout({ ...FIXTURE_COMMAND, env: { RELEASE: "2" } });
	assert.equal(ok, true);
	assert.equal(
		bench.host.health().notes.some((note) => note.includes("new_in_2")),
		false,
	);
});

test("a probe that is no tool is told too, and a name like no other gets no guess", () => {
	const probe = { tool: "job_sate", arguments: {}, answer: "/state", done: [], safe: [] };
	const tools = { job: { effect: { recovery: { kind: "probe_required" } }, probe }, "launch rockets": safe } as const;
	const listed = [{ name: "job" }, { name: "job_state" }, null, { name: 7 }];
	assert.deepEqual(warnOfUnknownTools({ tools }, listed, "orders.json"), [
		'orders.json: tools.job.probe.tool: the server lists no tool "job_sate"; did you mean job_state?',
		'orders.json: tools: the server lists no tool "launch rockets"',
	]);
});

test("a tool whose own declaration cannot be read is never run again, whatever its annotations say, and health says so", async (t) => {
	const said = stderrOf(t);
	const bench = new Bench(t, { name: "orders" }, { MODE: "unreadable-effect" });
	await bench.initialize();
	const note = '_meta["io.libmcp/effect"] of "refund" cannot be read, so calls in doubt are not run again';
	await until(() => bench.host.health().notes.includes(note), "the note");
	assert.deepEqual(said, [`[orders] ${note}\n`]);
	assert.equal(faultOf(await bench.tool("refund", { do: "die" })).class, "ambiguous_outcome");
	assert.equal(bench.effects("refund").length, 1);
});

test("many tools with unreadable declarations make one short warning, without those that the user's file covers", () => {
	const named = (name: string) => ({ name, _meta: { "io.libmcp/effect": {} } });
	const listed = [
		...Array.from({ length: 9 }, (_, n) => named(`t${n}`)),
		named("\u202eevil"),
		named("mine"),
		{ name: "x" },
	];
	assert.deepEqual(warnOfUnreadableEffects({ tools: { mine: safe } }, listed), [
		'_meta["io.libmcp/effect"] of "t0", "t1", "t2", "t3", "t4" and 5 more cannot be read, so calls in doubt are not run again',
	]);
	assert.match(warnOfUnreadableEffects({ tools: {} }, [named("\u202eevil")])[0] ?? "", /of "\\u202eevil" cannot/);
});

function stderrOf(t: TestContext): string[] {
	const said: string[] = [];
	t.mock.method(process.stderr, "write", (text: string) => said.push(text) > 0);
	return said;
}
