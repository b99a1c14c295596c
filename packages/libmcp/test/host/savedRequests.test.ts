import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { Session } from "../../src/host/session/session.ts";
import { type Call, createCall } from "../../src/host/worker/call.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";

function callOf(bytes: number, tool = "t"): Call {
	const frame = Buffer.from(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","x":"${"x".repeat(bytes)}"}}`,
	);
	const envelope = scanEnvelope(frame);
	assert.equal(envelope.kind, "request");
	return createCall(frame, envelope, 1);
}

const entry = (key: string) => ({ key, mayRepeat: true });

test("a saved request is a copy, so that what it came in need not be kept", () => {
	const session = new Session();
	const call = callOf(10);
	session.toolSucceeded(call, entry("a"));
	call.frame.fill(0);
	assert.match(session.saved()[0]?.frame.toString() ?? "", /^\{"jsonrpc":"2\.0",/);
});

test("what a successor inherits counts against its bounds", () => {
	const session = new Session();
	const quarter = callOf(256 * 1024 - 1_000);
	for (let key = 0; key < 4; key++) session.toolSucceeded(quarter, entry(String(key)));
	const successor = new Session();
	successor.adopt(JSON.parse(JSON.stringify(session.state())));
	assert.deepEqual(successor.state(), session.state());
	successor.toolSucceeded(quarter, entry("0"));
	assert.equal(successor.journalOverflow, 0, "one that replaces another takes its room");
	successor.toolSucceeded(quarter, entry("4"));
	assert.equal(successor.journalOverflow, 1);
	assert.equal(successor.saved().length, 4);
});

test("a successor knows which tools' state is lost and how many calls did not fit, until they are called again", () => {
	const [session, successor] = [new Session(), new Session()];
	const small = callOf(10, "bind");
	session.toolSucceeded(small, { key: "a", mayRepeat: false });
	session.toolSucceeded(callOf(2 * 1024 * 1024, "bind"), entry("b"));
	successor.adopt(JSON.parse(JSON.stringify(session.state())));
	assert.deepEqual([successor.lostTools, successor.journalOverflow], [["bind"], 1]);
	successor.toolSucceeded(small, entry("a"));
	assert.deepEqual(successor.lostTools, []);
});
