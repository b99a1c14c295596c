import assert from "node:assert/strict";
import { test } from "node:test";
import { Bench, faultOf, textOf } from "./harness.ts";

/** Writes the bytes it is told to, with its own id in place of ID, and answers properly when told nothing. */
const ECHO = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, params } = JSON.parse(line);
	if (id === undefined) return;
	for (const text of params.says ?? []) process.stdout.write(text.replaceAll("ID", JSON.stringify(id)) + "\\n", "latin1");
	if (params.answers) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "answered" }] } }) + "\\n");
});`;

const echo = { command: process.execPath, args: ["-e", ECHO] };

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const UNREADABLE = {
	"holds what is no JSON": '{"jsonrpc":"2.0","id":ID,"result":{"load":NaN}}',
	"breaks off": '{"jsonrpc":"2.0","id":ID,"result":{"text":"half',
	"nests deeper than is read": `{"jsonrpc":"2.0","id":ID,"result":${deep(400)}}`,
	"names its call last and nests deeper than is read": `{"jsonrpc":"2.0","result":${deep(400)},"id":ID}`,
	"is no UTF-8": '{"jsonrpc":"2.0","id":ID,"result":{"text":"caf\xe9"}}',
	"names its call last and is no UTF-8": '{"result":{"text":"caf\xe9"},"jsonrpc":"2.0","id":ID}',
	"has a NUL in it": '{"jsonrpc":"2.0","id":ID,"result":{}\0}',
	"is an error without a message": '{"jsonrpc":"2.0","id":ID,"error":{"code":1}}',
	"is a result and an error": '{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"no"}}',
};

for (const [which, line] of Object.entries(UNREADABLE)) {
	test(`an answer that ${which} fails its call at once, and no other`, async (t) => {
		const bench = new Bench(t, echo);
		const [bad, good] = await Promise.all([
			bench.request("plain", { says: [line] }, 1),
			bench.request("plain", { answers: true }, 2),
		]);
		assert.deepEqual([faultOf(bad).class, faultOf(bad).code], ["protocol", "unreadable_answer"]);
		assert.equal(textOf(good), "answered");
	});
}

test("a line that is no answer leaves the call whose id it holds alone", async (t) => {
	const bench = new Bench(t, echo);
	const says = [
		'{"level":30,"id":ID,"msg":"a line of a log"}',
		'{"level":30,"id":ID,"msg":"half a line',
		'{"jsonrpc":"1.0","id":ID,"result":{}}',
		'{"jsonrpc":"2.0","id":ID,"method":"sampling/createMessage","params":{"load":NaN}}',
	];
	assert.equal(textOf(await bench.request("plain", { says, answers: true }, 1)), "answered");
});
