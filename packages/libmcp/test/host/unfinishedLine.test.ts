import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

/** Prints what it is told to without ending the line, with its own id in place of ID, then answers. */
const MUTTERING = `
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	process.stdout.write((params.says ?? process.env.SAYS ?? "").replaceAll("ID", id), "latin1");
	if (method === "initialize") return answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "muttering", version: "1" } });
	if (method === "tools/list") return answer(id, { tools: [{ name: "any", annotations: { readOnlyHint: true } }] });
	if (params.waits) return;
	const result = { content: [{ type: "text", text: "answered" }] };
	if (params.adds) return void process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + params.adds + "\\n");
	if (!params.holds) return answer(id, result);
	process.stdout.write("\\n");
	setTimeout(() => answer(id, result), 100);
});`;

const muttering = { command: process.execPath, args: ["-e", MUTTERING] };

const UNFINISHED = {
	"plain text": "loading the model ... ",
	"a bar that is drawn again and again": "10 %\r50 %\r100 %\r",
	"text with braces": 'params {"id": [] }, {} and {',
	"a line of a log": '{"level":30,"id":ID,"msg":"a log"} ',
	"what is no UTF-8": "caf\xe9 ",
};

for (const [which, says] of Object.entries(UNFINISHED)) {
	test(`an answer counts although ${which} stands before it on its line, which is shown alone`, async (t) => {
		const shown: string[] = [];
		const onWorkerGarbage = (line: Buffer): void => void shown.push(line.toString("latin1"));
		const bench = new Bench(t, { ...muttering, onWorkerGarbage });
		await bench.initialize();
		assert.equal(textOf(await bench.request("plain", { says }, 7)), "answered");
		assert.deepEqual(shown, [says.replaceAll("ID", "7")]);
		assert.equal(bench.host.telemetry().faults["protocol.garbage_output"], 1);
		assert.equal(bench.answers(7).length, 1);
	});
}

test("a server that prints before each of its answers is initialized, listed, and restored after its death", async (t) => {
	const bench = new Bench(t, muttering, { SAYS: "working ... " });
	await bench.initialize();
	bench.killWorker();
	await until(() => bench.host.state().generation === 2 && bench.host.state().ready, "the next one serves");
	assert.equal(textOf(await bench.request("plain", { says: "" })), "answered");
});

test("an answer that lacks its newline too counts when the server ends after it", async (t) => {
	const last = `process.stdin.once("data", () => {
		process.stdout.write("bye " + JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "answered" }] } }));
		setTimeout(() => process.exit(0), 50);
	});`;
	const bench = new Bench(t, { command: process.execPath, args: ["-e", last] });
	assert.equal(textOf(await bench.request("plain", {}, 1)), "answered");
});

test("an answer that lacks its newline counts when the server ends after it, with text behind", async (t) => {
	const last = `process.stdin.once("data", () => {
		process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "answered" }] } }) + "bye");
		setTimeout(() => process.exit(0), 50);
	});`;
	const bench = new Bench(t, { command: process.execPath, args: ["-e", last] });
	assert.equal(textOf(await bench.request("plain", {}, 1)), "answered");
});

test("half an answer before another one fails its own call, and the other is answered", async (t) => {
	const bench = new Bench(t, muttering);
	await bench.initialize();
	const half = bench.request("plain", { says: '{"jsonrpc":"2.0","id":ID,"result":{"text":"ha', holds: true }, 7);
	assert.deepEqual(faultOf(await half).code, "unreadable_answer");
	const both = '{"jsonrpc":"2.0","id":8,"result":{"text":"ha';
	const held = bench.request("plain", { says: "", holds: true }, 8);
	const other = bench.request("plain", { says: both }, 9);
	assert.deepEqual([faultOf(await held).code, textOf(await other)], ["unreadable_answer", "answered"]);
});

for (const [which, adds] of Object.entries({
	"plain text": "stored 3 rows",
	"half a message": '{"jsonrpc":"2.0","me',
	"a NUL": "\0",
})) {
	test(`an answer counts although ${which} follows it on its line, which is shown alone`, async (t) => {
		const shown: string[] = [];
		const bench = new Bench(t, { ...muttering, onWorkerGarbage: (line) => void shown.push(line.toString()) });
		await bench.initialize();
		assert.equal(textOf(await bench.request("plain", { adds }, 7)), "answered");
		assert.deepEqual([shown, bench.answers(7).length], [[adds], 1]);
	});
}

test("answers of several calls on one line each count", async (t) => {
	const bench = new Bench(t, muttering);
	await bench.initialize();
	const held = [7, 8, 9].map((id) => bench.request("plain", { waits: true }, id));
	const all = [7, 8, 9].map(
		(id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${id}"}]}}`,
	);
	assert.equal(textOf(await bench.request("plain", { says: all.join("") }, 10)), "answered");
	assert.deepEqual((await Promise.all(held)).map(textOf), ["7", "8", "9"]);
});

test("two messages on one line both count", async (t) => {
	const bench = new Bench(t, muttering);
	await bench.initialize();
	const says = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';
	assert.equal(textOf(await bench.request("plain", { says })), "answered");
	assert.equal(bench.notifications("notifications/message").length, 1);
	assert.equal(bench.host.telemetry().faults["protocol.garbage_output"], undefined);
});

test("messages that a server shows in its log stay there, unless they answer a call in flight", async (t) => {
	const bench = new Bench(t, muttering);
	await bench.initialize();
	for (const shown of [
		'{"jsonrpc":"2.0","id":ID,"method":"plain","params":{}}',
		'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}',
		'{"jsonrpc":"2.0","id":"unknown","result":{}}',
	])
		assert.equal(textOf(await bench.request("plain", { says: `received: ${shown}`, holds: true })), "answered");
	assert.deepEqual(
		bench.received.filter((one) => one.method !== undefined || one.id === "unknown"),
		[],
	);
});
