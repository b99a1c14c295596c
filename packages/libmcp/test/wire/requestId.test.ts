import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { spliceId } from "../../src/wire/encodeFrame.ts";
import { parseRequestId, sameRequestId, toLooseId, toRequestId } from "../../src/wire/requestId.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";

const TEXTS = ["1", '"1"', "1.0", "-0", "12345678901234567890", "1e3", '"a b"', '"\\u0061"', '"é"', '""', "0"];

verifies(
	"002-scope-request-identity",
	"an id goes to the worker under another name and comes back as it was sent",
	() => {
		for (const text of TEXTS) {
			const request = Buffer.from(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`);
			const asked = scanEnvelope(request);
			assert.equal(asked.kind, "request");
			assert.equal(asked.id, text);
			const inside = Buffer.concat(spliceId(request, asked.idSpan, toRequestId(7)));
			assert.equal(inside.toString(), '{"jsonrpc":"2.0","id":7,"method":"ping"}\n');

			const answer = Buffer.from('{"result":{},"jsonrpc":"2.0","id":7}');
			const answered = scanEnvelope(answer);
			assert.equal(answered.kind, "response");
			const outside = Buffer.concat(spliceId(answer, answered.idSpan, asked.id));
			assert.equal(outside.toString(), `{"result":{},"jsonrpc":"2.0","id":${text}}\n`);
		}
		assert.equal(new Set(TEXTS.map(parseRequestId)).size, TEXTS.length);
	},
);

test("only JSON numbers and strings are ids", () => {
	for (const text of [
		"null",
		"true",
		"{}",
		"[1]",
		"",
		"01",
		"+1",
		".5",
		"1.",
		"NaN",
		"'a'",
		'"a',
		'"a\n"',
		" 1",
		`"${"x".repeat(2000)}"`,
	]) {
		assert.equal(parseRequestId(text), undefined, text.slice(0, 20));
	}
	assert.throws(() => toRequestId(Number.NaN), /finite number or a string/);
	assert.throws(() => toRequestId("x".repeat(2000)), /at most 1024 bytes/);
	assert.equal(toRequestId(1), "1");
	assert.equal(toRequestId("1"), '"1"');
});

test("the same string spelled two ways is the same id, and types never mix", () => {
	const id = (text: string) => parseRequestId(text) ?? assert.fail(text);
	assert.ok(sameRequestId(id('"a"'), id('"\\u0061"')));
	assert.ok(!sameRequestId(id("1"), id('"1"')));
	assert.ok(!sameRequestId(id("1"), id("1.0")));
	assert.ok(!sameRequestId(id('"a"'), id('"b"')));
});

test("the loose form is String(id), exact beyond 2^53", () => {
	const loose = (text: string) => toLooseId(parseRequestId(text) ?? assert.fail(text));
	assert.equal(loose("1"), "1");
	assert.equal(loose('"1"'), "1");
	assert.equal(loose("1.00"), "1");
	assert.equal(loose("12345678901234567890"), "12345678901234567890");
	assert.equal(loose('"\\u0061"'), "a");
	assert.equal(loose("1.5"), "1.5");
});
