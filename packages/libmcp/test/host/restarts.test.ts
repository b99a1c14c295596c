// Which ends of a worker count against it, and which do not.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { parseContracts } from "../../src/host/contractFile.ts";
import { until } from "../until.ts";
import { Bench, FIXTURE_COMMAND, faultOf } from "./harness.ts";

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
	const folder = mkdtempSync(join(tmpdir(), "libmcp-mended-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
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

test("a call that was lost before its tool was known is decided when no worker is left to ask", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-broken-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
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
