import assert from "node:assert/strict";
import { test } from "node:test";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { judgeAnswers } from "../../src/upstream/connect/checkAnswers.ts";

test("an answer with an error that is none is invalid, whatever its result, and one with a result of null refuses", () => {
	const heard: unknown[] = [];
	const transport = { onmessage: (message: JSONRPCMessage) => void heard.push(message) } as unknown as Transport;
	judgeAnswers(transport);
	const deliver = (members: object) => transport.onmessage?.({ jsonrpc: "2.0", id: 1, ...members } as JSONRPCMessage);
	deliver({ result: { content: [] }, error: null });
	const message = "The server's answer is unusable: error: expected a code and a message, got null";
	assert.deepEqual(heard.pop(), { jsonrpc: "2.0", id: 1, error: { code: -32603, message } });
	const refusal = { result: null, error: { code: 5, message: "no" } };
	deliver(refusal);
	assert.deepEqual(heard.pop(), { jsonrpc: "2.0", id: 1, ...refusal });
});
