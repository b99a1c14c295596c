import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import fc from "fast-check";
import { parseStrictJson } from "../../src/wire/strictJson.ts";

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test("a member that repeats at any depth is refused by name, however it is spelled", () => {
	for (const text of [
		'{"a":1,"a":1}',
		'[{"b":{"a":1,"c":{},"a":2}}]',
		'{"a":1,"\\u0061":2}',
		'{"é":1,"\\u00e9":2}',
		'{"":1,"":2}',
	]) {
		const answer = parse(text);
		assert.equal(answer.ok ? "accepted" : answer.reason, "duplicate_member", text);
	}
	const answer = parse('{"x":{"repo":1,"repo":2}}');
	assert.ok(!answer.ok);
	assert.equal(answer.detail, 'a member appears twice in one object: "repo"');
});

test("the same name in different objects, or as a value, is no repetition", () => {
	for (const text of [
		'{"a":{"a":{"a":1}}}',
		'[{"a":1},{"a":2}]',
		'{"a":"a","b":"a:","c":["a","a"]}',
		'{"a":"\\"a\\":1","b":{"c":"}{"}}',
	]) {
		assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) });
	}
});

test("nesting, bytes and grammar are refused with their reasons", () => {
	assert.equal(reason("[".repeat(257) + "]".repeat(257)), "too_deep");
	assert.equal(reason("[".repeat(256) + "]".repeat(256)), "accepted");
	assert.equal(reason("[".repeat(3_000_000)), "not_json");
	assert.equal(reason('{"a":"\n"}'), "not_json");
	assert.equal(reason('{"a":"\\x"}'), "not_json");
	const answer = parseStrictJson(Buffer.from([0x22, 0xc3, 0x22]));
	assert.equal(answer.ok ? "accepted" : answer.reason, "not_utf8");
});

test("every value JSON can say comes out as JSON.parse has it, prototypes untouched", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const text = JSON.stringify(value, null, 1);
			assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) });
		}),
		{ numRuns: 500 },
	);
	const answer = parse('{"__proto__":{"polluted":true}}');
	assert.ok(answer.ok && !("polluted" in Object.prototype));
});

function reason(text: string): string {
	const answer = parse(text);
	return answer.ok ? "accepted" : answer.reason;
}
