// Between the moment a worker can be reached no more and the moment the host has read its last word.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../until.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

test("a call that comes while the worker is restarted on request goes to the next one", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const before = bench.host.state().workerPid;
	const restarted = bench.host.restart();
	const paid = await bench.tool("pay", { key: "a" });
	assert.deepEqual(faultOf(paid), {});
	assert.notEqual(textOf(paid), String(before));
	assert.equal(bench.effects("pay").length, 1);
	await restarted;
});

test("a call that comes when the worker is dead, but its output is held open, goes to the next one", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const pid = bench.host.state().workerPid ?? assert.fail("no worker");
	const lost = bench.tool("pay", { key: "a", do: "leave" });
	await until(() => !isAlive(pid), "the end of the worker");
	assert.equal(bench.host.state().generation, 1);
	const paid = await bench.tool("pay", { key: "b" });
	assert.deepEqual(faultOf(paid), {});
	assert.equal(bench.effects("pay").length, 2);
	assert.equal(faultOf(await lost).class, "ambiguous_outcome");
});

test("what a worker answered before it ended reaches a client that reads slowly", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	bench.output.pause();
	const big = bench.tool("read", { do: "big", n: 1_000_000 });
	await until(() => bench.output.writableNeedDrain, "a client that is full");
	const pid = bench.host.state().workerPid ?? assert.fail("no worker");
	const last = bench.tool("pay", { key: "a", do: "last" });
	await until(() => !isAlive(pid), "the end of the worker");
	await delay(1_000);
	bench.output.resume();
	assert.equal(textOf(await big).length, 1_000_000);
	assert.equal(textOf(await last), "the last word");
	assert.equal(bench.effects("pay").length, 1);
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
