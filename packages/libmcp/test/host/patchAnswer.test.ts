import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { addOpsTools, promiseListChanges } from "../../src/host/routing/patchAnswer.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";

function patch(text: string, how: (frame: Buffer, envelope: never) => Buffer): string {
	const frame = Buffer.from(text);
	const envelope = scanEnvelope(frame);
	assert.equal(envelope.kind, "response");
	return how(frame, envelope as never).toString();
}

const promised = (text: string, ops = true) =>
	patch(text, (frame, envelope) => promiseListChanges(frame, envelope, ops));

test("only the promise is changed, every other byte of a handshake is the server's", () => {
	assert.equal(
		promised(
			'{"result":{"capabilities":{ "tools" : {"x":1.0} ,"prompts":{"listChanged":false},"n":12345678901234567890}},"jsonrpc":"2.0","id":1}',
		),
		'{"result":{"capabilities":{ "tools" : {"x":1,"listChanged":true} ,"prompts":{"listChanged":true},"n":12345678901234567890}},"jsonrpc":"2.0","id":1}',
	);
});

test("a server without tools gets the capability when the host has tools of its own, and only then", () => {
	assert.equal(
		promised('{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'),
		'{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{"listChanged":true}}}}',
	);
	assert.equal(
		promised('{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"logging":{}}}}'),
		'{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{"listChanged":true},"logging":{}}}}',
	);
	const bare = '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"logging":{}}}}';
	assert.equal(promised(bare, false), bare);
	const odd = '{"jsonrpc":"2.0","id":1,"result":{"capabilities":7}}';
	assert.equal(promised(odd), odd);
});

test("the host's tools are added to the last page, once, and to nothing that is no list", () => {
	const add = (text: string) => patch(text, (frame, envelope) => addOpsTools(frame, envelope, "2025-11-25"));
	const names = (text: string) => JSON.parse(text).result.tools.map((tool: { name: string }) => tool.name);
	assert.deepEqual(names(add('{"jsonrpc":"2.0","id":1,"result":{"tools":[ ]}}')), [
		"holdfast_health",
		"holdfast_telemetry",
	]);
	const one = add('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}],"ttlMs":1.0}}');
	assert.deepEqual(names(one), ["a", "holdfast_health", "holdfast_telemetry"]);
	assert.match(one, /"ttlMs":1\.0\}/);
	const last = add('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}],"nextCursor":""}}');
	assert.deepEqual(names(last), ["a", "holdfast_health", "holdfast_telemetry"]);
	assert.equal(add(one), one);
	for (const text of [
		'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}}',
		'{"jsonrpc":"2.0","id":1,"result":{"tools":"none"}}',
		'{"jsonrpc":"2.0","id":1,"result":{}}',
	]) {
		assert.equal(add(text), text);
	}
});
