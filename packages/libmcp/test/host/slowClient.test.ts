// A client that does not read is not the worker's fault.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

test("no deadline passes while the host does not listen to the worker, because the client does not read", async (t) => {
	const bench = new Bench(t, { deadlines: { hardMs: 1_500 } });
	await bench.initialize();
	const before = bench.host.state().workerPid;
	bench.output.pause();
	const big = bench.tool("read", { do: "big", n: 1_000_000 });
	await until(() => bench.output.writableNeedDrain, "a client that is full");
	const paid = bench.tool("pay", { key: "a" });
	const hung = bench.tool("pay", { key: "b", do: "hang" });
	await delay(4_000);
	bench.output.resume();
	assert.equal(textOf(await big).length, 1_000_000);
	assert.equal(textOf(await paid), String(before));
	assert.equal(faultOf(await hung).code, "deadline_passed");
	assert.equal(bench.effects("pay").length, 2);
});
