import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Call, createCall } from "../../src/host/worker/call.ts";
import { readPlainAnswer } from "../../src/host/worker/plainAnswer.ts";
import type { RequestId } from "../../src/wire/requestId.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";

function callsOf(...requests: { readonly id: unknown; readonly method: string }[]): Map<RequestId, Call> {
	const calls = requests.map((request) => {
		const frame = Buffer.from(JSON.stringify({ jsonrpc: "2.0", params: { name: "tool" }, ...request }));
		const envelope = scanEnvelope(frame);
		if (envelope.kind !== "request") throw new Error(`no request: ${frame}`);
		return createCall(frame, envelope, 1);
	});
	return new Map(calls.map((call) => [call.id, call]));
}

const LISTED = callsOf({ id: 7, method: "tools/list" });
const CALLED = callsOf({ id: 7, method: "tools/call" });

test("a result of either writing is read from one end as it is read in full", () => {
	const frames = [
		'{"jsonrpc":"2.0","id":7,"result":{"tools":[]}}',
		'{"result":{"tools":[],"isError":true},"jsonrpc":"2.0","id":7}',
		'{"result":{},"jsonrpc":"2.0","id":7}',
	];
	for (const text of frames)
		assert.deepEqual(readPlainAnswer(Buffer.from(text), LISTED), scanEnvelope(Buffer.from(text)));
	for (const isError of [true, false]) {
		const frame = Buffer.from(`{"result":{"content":["é"],"isError":${isError}},"jsonrpc":"2.0","id":7}`);
		assert.deepEqual(readPlainAnswer(frame, CALLED), scanEnvelope(frame));
	}
});

test("what one end does not tell for certain is left to be read in full", () => {
	const cases: readonly (readonly [text: string, calls: Map<RequestId, Call>])[] = [
		// Whether a tool failed stands somewhere inside.
		['{"jsonrpc":"2.0","id":7,"result":{"isError":true}}', CALLED],
		['{"result":{"isError":true,"content":[]},"jsonrpc":"2.0","id":7}', CALLED],
		['{"result":{"structuredContent":{"isError":false}},"jsonrpc":"2.0","id":7}', CALLED],
		// Nobody asked, or the id is written in another way.
		['{"result":{},"jsonrpc":"2.0","id":8}', LISTED],
		['{"result":{},"jsonrpc":"2.0","id":"7"}', LISTED],
		['{"result":{},"jsonrpc":"2.0","id":"\\u0037"}', LISTED],
		[`{"result":{},"jsonrpc":"2.0","id":"${"x".repeat(300)}"}`, LISTED],
		// No result.
		['{"error":{"code":1,"message":"no"},"jsonrpc":"2.0","id":7}', LISTED],
		['{"jsonrpc":"2.0","id":7,"method":"ping"}', LISTED],
		['{"result":{},"jsonrpc":"2.0","id":7} ', LISTED],
		['{"result":{"jsonrpc":"2.0","id":7}}', LISTED],
		["{", LISTED],
		["", LISTED],
	];
	for (const [text, calls] of cases) assert.equal(readPlainAnswer(Buffer.from(text), calls), undefined, text);
});

test("whatever a result holds, one end never tells another story than the whole", () => {
	fc.assert(
		fc.property(
			fc.dictionary(fc.string(), fc.jsonValue()),
			fc.oneof(fc.integer(), fc.string()),
			fc.constantFrom("tools/call", "tools/list"),
			fc.option(fc.boolean(), { nil: undefined }),
			fc.boolean(),
			(members, id, method, isError, idFirst) => {
				const result = { ...members, ...(isError !== undefined && { isError }) };
				const message = idFirst ? { jsonrpc: "2.0", id, result } : { result, jsonrpc: "2.0", id };
				const frame = Buffer.from(JSON.stringify(message));
				const seen = readPlainAnswer(frame, callsOf({ id, method }));
				if (seen !== undefined && method === "tools/call") assert.deepEqual(seen, scanEnvelope(frame));
				// Of anything but a tool's result nobody asks whether it is an error.
				else if (seen !== undefined) assert.deepEqual({ ...seen, result: 0 }, { ...scanEnvelope(frame), result: 0 });
			},
		),
	);
});
