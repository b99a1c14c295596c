import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { ContractBook } from "../../src/host/calls/contractBook.ts";
import { createCall } from "../../src/host/worker/call.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";

test("of a server that names its tools anew in every list, the latest are known and the oldest forgotten", () => {
	const book = new ContractBook({ tools: {} }, undefined, {});
	const steady = { name: "steady", annotations: { readOnlyHint: true } };
	for (let list = 0; list < 300; list++) {
		book.learnPage([steady, ...Array.from({ length: 100 }, (_, n) => ({ ...steady, name: `${list}-${n}` }))]);
	}
	assert.deepEqual(
		["steady", "299-99", "250-0", "0-0"].map((tool) => book.knows(callOf(tool))),
		[true, true, true, false],
	);
	assert.equal(book.contract(callOf("steady")), "convergent");
	assert.equal(book.contract(callOf("0-0")), "never_replay");
});

test("a probe is not asked about a call that lacks a value for one of its arguments", () => {
	const effect = { recovery: { kind: "probe_required" } } as const;
	const probe = { tool: "state", arguments: { key: "/key" }, answer: "/done", done: [true], safe: [false] };
	const book = new ContractBook({ tools: { job: { effect, probe } } }, undefined, {});
	assert.equal(book.contract(callOf("job", { key: "a" })), "probe_required");
	assert.equal(book.probe(callOf("job", { key: 0 })), probe);
	for (const args of [undefined, {}, { key: null }, { other: "a" }])
		assert.equal(book.contract(callOf("job", args)), "never_replay", JSON.stringify(args));
});

test("a call is judged by the weaker of what its tool promised when it was sent and what it promises now", () => {
	const book = new ContractBook({ tools: {} }, undefined, {});
	const safe = { name: "pay", annotations: { idempotentHint: true } };
	const silent = { name: "pay" };
	for (const [then, now, contract] of [
		[safe, safe, "convergent"],
		[safe, silent, "never_replay"],
		[silent, safe, "never_replay"],
	] as const) {
		const call = callOf("pay");
		book.learn([then]);
		call.promised = book.promised(call);
		book.learn([now]);
		assert.equal(book.contract(call), contract);
	}
});

function callOf(name: string, args?: unknown) {
	const params = { name, arguments: args };
	const frame = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
	const envelope = scanEnvelope(frame);
	assert.ok(envelope.kind === "request");
	return createCall(frame, envelope, 1);
}
