// Between the moment a worker can be reached no more and the moment the host has read its last word.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import type { TelemetryRecord } from "../../src/telemetry/record.ts";
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

test("the record of a worker's end has its last words on stderr, cut to a few short lines", async (t) => {
	const dying = `process.stdin.once("data", () => {
		for (let line = 1; line <= 20; line++) console.error(line === 20 ? "x".repeat(5_000) : "line " + line);
		process.exit(1);
	})`;
	const bench = new Bench(t, { command: process.execPath, args: ["-e", dying] });
	const records: TelemetryRecord[] = [];
	bench.host.events.addSink({ record: (record) => void records.push(record), close: () => {} });
	assert.equal(faultOf(await bench.request("initialize", { protocolVersion: "2025-11-25" })).code, "start_failed");
	const crash = records.find((record) => record.event === "fault") ?? assert.fail("no fault was recorded");
	const lines = Array.from({ length: 7 }, (_, index) => `line ${13 + index}`);
	assert.deepEqual(crash.event === "fault" && crash.stderr, [...lines, `${"x".repeat(400)}…`]);
});

/** Ends with words that no newline follows, as soon as it is asked anything. */
const ending = (words: string): { command: string; args: string[] } => ({
	command: process.execPath,
	args: [
		"-e",
		`process.stdin.once("data", () => process.stdout.write(${JSON.stringify(words)}, () => process.exit(1)))`,
	],
});

test("what a program prints in place of an answer is told, though no newline follows it", async (t) => {
	const printed: string[] = [];
	const onWorkerGarbage = (line: Buffer): number => printed.push(line.toString());
	const bench = new Bench(t, { ...ending("usage: orders <file>"), onWorkerGarbage });
	const answer = await bench.request("initialize");
	assert.equal(faultOf(answer).code, "start_failed");
	assert.deepEqual(new Set(printed), new Set(["usage: orders <file>"]));
	assert.ok(bench.host.telemetry().faults["protocol.garbage_output"]);
	assert.doesNotMatch(String(faultOf(answer).detail), /unfinished/);
});

test("half an answer is no stray output: the fault says how much of it came", async (t) => {
	const printed: Buffer[] = [];
	const half = '{"jsonrpc":"2.0","id":1,"result":{"capa';
	const bench = new Bench(t, { ...ending(half), onWorkerGarbage: (line) => void printed.push(line) });
	const { detail } = faultOf(await bench.request("initialize", {}, 1));
	assert.match(String(detail), new RegExp(`${half.length} bytes of an unfinished message`));
	assert.deepEqual(printed, []);
});

test("the last answer of a worker counts without its newline", async (t) => {
	const bench = new Bench(t, ending('{"jsonrpc":"2.0","id":1,"result":{"whole":true}}'));
	assert.deepEqual((await bench.request("initialize", {}, 1)).result?.whole, true);
});

test("a worker may begin what it writes with a byte order mark, as programs for Windows do", async (t) => {
	const bench = new Bench(t, ending('\ufeff{"jsonrpc":"2.0","id":1,"result":{"whole":true}}\n'));
	assert.deepEqual((await bench.request("initialize", {}, 1)).result?.whole, true);
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
