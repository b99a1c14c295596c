import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench, textOf } from "./harness.ts";

/** Answers its calls two at a time, in one batch, as the revision 2025-03-26 allows; some of its output is no batch. */
const BATCHING = `
const held = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, params } = JSON.parse(line);
	if (params.prints) return console.log(params.prints + "\\n" + JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "printed" }] } }));
	if (held.push(id) < 2) return;
	const news = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "[a, {b" } };
	const answers = held.splice(0).map((id) => ({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "answer " + id }] } }));
	console.log(" " + JSON.stringify([answers[0], news, answers[1]], null, " ").replaceAll("\\n", ""));
});`;

const batching = { command: process.execPath, args: ["-e", BATCHING] };

test("the messages of a batch that a server sends each count", async (t) => {
	const bench = new Bench(t, batching);
	const both = await Promise.all([7, 8].map((id) => bench.request("plain", {}, id)));
	assert.deepEqual(both.map(textOf), ["answer 7", "answer 8"]);
	await until(() => bench.notifications("notifications/message").length === 1, "the news is there too");
	assert.equal(bench.host.telemetry().faults["protocol.garbage_output"], undefined);
});

test("a list that a server prints is one stray line, whatever is in it", async (t) => {
	const shown: string[] = [];
	const bench = new Bench(t, { ...batching, onWorkerGarbage: (line) => void shown.push(line.toString()) });
	for (const prints of ["[]", '[1, "two", {"three":[]}]'])
		assert.equal(textOf(await bench.request("plain", { prints })), "printed");
	assert.deepEqual(shown, ["[]", '[1, "two", {"three":[]}]']);
});

test("a batch within a batch is stray output, and what stands beside it counts", async (t) => {
	const shown: string[] = [];
	const bench = new Bench(t, { ...batching, onWorkerGarbage: (line) => void shown.push(line.toString()) });
	const news = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"beside"}}';
	const nested = `${"[".repeat(9)}${news}${"]".repeat(9)}`;
	assert.equal(textOf(await bench.request("plain", { prints: `[${nested},${news}]` })), "printed");
	assert.deepEqual(shown, [nested]);
	assert.equal(bench.notifications("notifications/message").length, 1);
});
