import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

verifies(
	["002-problem-statement-stable-host", "002-topologies-proxied-mcp-worker", "002-health-generation"],
	"the session outlives a killed worker and the next call is served by a new generation",
	async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		const before = textOf(await bench.tool("read"));
		const bytes = bench.raw.length;
		const generation = bench.host.health().generation;
		bench.killWorker();
		const after = await bench.tool("read");
		assert.notEqual(textOf(after), before);
		assert.equal(bench.raw.length, bytes + 1);
		assert.equal(bench.host.health().generation, generation + 1);
		assert.equal(bench.host.health().restartCount, 1);
		assert.equal(bench.host.health().state, "ready");
	},
);

verifies("002-replay-convergent", "a convergent call in flight runs again and is answered once", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const answer = bench.request("tools/call", { name: "read", arguments: { ms: 300 } }, "slow");
	await until(() => bench.effects("read").length === 1, "the first attempt has begun");
	bench.killWorker();
	assert.match(textOf(await answer), /^\d+$/);
	assert.equal(bench.effects("read").length, 2);
	assert.equal(bench.answers("slow").length, 1);
	assert.equal(bench.host.telemetry().totals.retries, 1);
});

verifies(
	["002-replay-never-replay", "002-faults-class-ambiguous", "002-problem-statement-one-terminal-answer"],
	"an at-most-once call that was dispatched fails as ambiguous and has one effect",
	async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		const answer = await bench.tool("pay", { do: "die" });
		assert.equal(answer.error?.code, -32603);
		const fault = faultOf(answer);
		assert.equal(fault.class, "ambiguous_outcome");
		assert.equal(fault.retry, "unsafe");
		assert.equal(fault.generation, 1);
		assert.match(answer.error?.message ?? "", /check before repeating/);
		await bench.tool("read");
		assert.equal(bench.effects("pay").length, 1);
		assert.equal(bench.answers(answer.id).length, 1);
	},
);

verifies(
	"002-replay-dispatch-from-first-byte",
	"a call that only waited when the worker died is a first dispatch on the next",
	async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		bench.killWorker();
		await until(() => !bench.host.state().ready, "the host has seen the death");
		const answer = await bench.tool("pay", { key: "queued" });
		assert.match(textOf(answer), /^\d+$/);
		assert.deepEqual(bench.effects("pay").length, 1);
		assert.equal(bench.host.telemetry().totals.retries, 0);
	},
);

verifies("002-replay-explicit-contract", "a tool that the server does not list at all is at most once", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	assert.equal(faultOf(await bench.tool("unlisted", { do: "die" })).class, "ambiguous_outcome");
	assert.equal(bench.effects("unlisted").length, 1);
});

test("a call that waits to run again does not, if the next worker lists its tool without that promise", async (t) => {
	const bench = new Bench(t, {}, { PAY: "idempotent-at-first" });
	await bench.initialize();
	// On trial first, so that the lists of the next worker are read while the other waits behind it.
	const reading = bench.tool("read", { ms: 2_000 });
	const paying = bench.tool("pay", { ms: 2_000 });
	await until(() => bench.effects("read").length + bench.effects("pay").length === 2, "both calls have begun");
	bench.killWorker();
	const { code, detail, retry } = faultOf(await paying);
	assert.deepEqual([code, retry], ["outcome_unknown", "unsafe"]);
	assert.match(String(detail), /its tool no longer allows another run$/);
	assert.match(textOf(await reading), /^\d+$/);
	assert.equal(bench.effects("pay").length, 1);
});

test("a deduplicated call is repeated when its key is there and not when it is missing", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const keyed = bench.tool("put", { key: "k", ms: 200 });
	const bare = bench.tool("put", { ms: 200 });
	await until(() => bench.effects("put").length === 2, "both are in flight");
	bench.killWorker();
	assert.match(textOf(await keyed), /^\d+$/);
	assert.equal(faultOf(await bare).class, "ambiguous_outcome");
});

verifies("002-faults-class-process", "a worker that exits with code 0 unasked has failed all the same", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	assert.equal(faultOf(await bench.tool("pay", { do: "exit" })).class, "ambiguous_outcome");
	const { lastFault } = bench.host.health();
	assert.equal(lastFault?.class, "process");
	assert.equal(lastFault?.code, "worker_exited");
	assert.match(textOf(await bench.tool("read")), /^\d+$/);
});

verifies("002-faults-class-resource", "a worker that ran out of memory is a resource fault", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	await bench.tool("pay", { do: "oom" });
	assert.equal(bench.host.health().lastFault?.class, "resource");
	assert.equal(bench.host.health().lastFault?.code, "out_of_memory");
});

test("half a message and then death: nothing of it reaches the client, and the fault says how much there was", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	assert.equal(faultOf(await bench.tool("pay", { do: "half" })).class, "ambiguous_outcome");
	assert.match(bench.host.health().lastFault?.detail ?? "", /22 bytes of an unfinished message/);
	assert.match(textOf(await bench.tool("read")), /^\d+$/);
});

verifies(
	"002-faults-class-replay-exhausted",
	"a poisonous call spends its own budget and its neighbours succeed",
	async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		const innocents = Array.from({ length: 20 }, (_, n) => bench.tool("read", { key: `i${n}`, ms: 100 }));
		await until(() => bench.effects("read").length === 20, "the innocents are in flight");
		const pill = await bench.tool("read", { key: "pill", do: "die" });
		assert.equal(faultOf(pill).class, "replay");
		assert.equal(faultOf(pill).code, "replay_exhausted");
		for (const answer of await Promise.all(innocents)) assert.match(textOf(answer), /^\d+$/);
		assert.equal(bench.effects("read").filter((line) => line.includes("pill")).length, 2);
	},
);

test("a poisonous call has two tries however long a busy machine takes to read it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const innocent = bench.tool("read", { key: "innocent", ms: 1_000 });
	const pill = await bench.tool("read", { key: "pill", do: "die", ms: 1_500 });
	assert.equal(faultOf(pill).code, "replay_exhausted");
	assert.match(textOf(await innocent), /^\d+$/);
	assert.equal(bench.effects("read").filter((line) => line.includes("pill")).length, 2);
});

test("a call on trial does not pay for a slower poison that was tried before it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const poison = bench.tool("read", { key: "poison", do: "ambush" });
	const innocent = bench.tool("read", { key: "innocent", ms: 1_000 });
	await until(() => bench.effects("read").length === 2, "both are in flight");
	bench.killWorker();
	assert.match(textOf(await innocent), /^\d+$/);
	assert.equal(faultOf(await poison).code, "replay_exhausted");
});

test("a server that answers no ping delays the calls behind a slow one, and not for long", async (t) => {
	const bench = new Bench(t, {}, { MODE: "deaf" });
	await bench.initialize();
	void bench.tool("read", { do: "hang" });
	void bench.tool("read", { do: "hang" });
	await until(() => bench.effects("read").length === 2, "both are in flight");
	bench.killWorker();
	assert.match(textOf(await bench.tool("read")), /^\d+$/);
	assert.equal(bench.effects("read").length, 5);
});

test("calls lost with their worker run again in the order they came, before those that waited", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-order-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const held = join(folder, "held");
	writeFileSync(held, "");
	const bench = new Bench(t, {}, { HELD_WHILE: held });
	await bench.initialize();
	const first = Array.from({ length: 10 }, (_, n) => bench.tool("read", { key: `a${n}` }));
	await until(() => bench.effects("read").length === 10, "ten are in flight");
	bench.killWorker();
	await until(() => !bench.host.state().ready, "the host has seen the death");
	rmSync(held);
	const queued = Array.from({ length: 5 }, (_, n) => bench.tool("read", { key: `b${n}` }));
	await Promise.all([...first, ...queued]);
	const order = bench.effects("read").map((line) => line.split(" ")[1]);
	const expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `a${n}`);
	assert.deepEqual(order.slice(0, 10), expected);
	assert.deepEqual(order.slice(10), [...expected, "b0", "b1", "b2", "b3", "b4"]);
});

verifies(
	"002-problem-statement-duplicate-id-refused",
	"an id in flight is refused and the first goes on",
	async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		const first = bench.request("tools/call", { name: "read", arguments: { ms: 200 } }, 77);
		bench.write('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"read"}}');
		await until(() => bench.answers(null).length === 1, "the refusal is here");
		assert.equal(bench.answers(null)[0]?.error?.code, -32600);
		assert.equal(faultOf(bench.answers(null)[0] ?? {}).code, "duplicate_id");
		const other = bench.request("tools/call", { name: "read", arguments: {} }, "77");
		assert.match(textOf(await other), /^\d+$/);
		assert.match(textOf(await first), /^\d+$/);
		assert.equal(bench.answers(77).length, 1);
	},
);

verifies(
	["002-telemetry-request-counts", "002-telemetry-retry-counts", "002-problem-statement-recovery-tests"],
	"under kills at random every call has one answer, no payment is doubled and the books balance",
	async (t) => {
		const bench = new Bench(t, { restarts: { intensity: 50 } });
		await bench.initialize();
		const calls: Promise<unknown>[] = [];
		for (let round = 0; round < 6; round++) {
			for (let n = 0; n < 20; n++) {
				const tool = n % 4 === 0 ? "pay" : n % 4 === 1 ? "put" : "read";
				calls.push(bench.tool(tool, { key: `${round}-${n}`, ms: (n * 7) % 60 }));
			}
			await new Promise((resolve) => setTimeout(resolve, 20 + round * 15));
			bench.killWorker();
		}
		await Promise.all(calls);
		const payments = bench.effects("pay").map((line) => line.split(" ")[1]);
		assert.equal(new Set(payments).size, payments.length);
		const ids = bench.received.filter((one) => one.method === undefined).map((one) => JSON.stringify(one.id));
		assert.equal(new Set(ids).size, ids.length);
		const { totals } = bench.host.telemetry();
		assert.equal(totals.inFlight, 0);
		assert.equal(totals.requests, totals.successes + totals.errors + totals.cancelled);
		const errors = bench.received.filter((one) => one.error !== undefined).length;
		assert.equal(totals.errors, errors);
		const attempts = bench.effects("read").length + bench.effects("put").length;
		assert.ok(attempts <= 90 + totals.retries, `${attempts} attempts, ${totals.retries} retries`);
	},
);
