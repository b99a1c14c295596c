import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { document } from "../diff/documents.ts";

const raw = String.raw;

test("a name written with an escape is that name, whatever was parsed before", () => {
	for (const shape of [raw`{"x":1,"\\":1}`, raw`{"x":1,"a\\":1}`, raw`{"x":1,"\\u":1}`]) JSON.parse(shape);
	for (const [text, names] of [
		[raw`{"x":1,"\u0061":1}`, ["x", "a"]],
		[raw`{"x":1,"\n":1}`, ["x", "\n"]],
		[raw`{"x":1,"\\" : 1}`, ["x", "\\"]],
		[raw`{"x":1,"a\u0062":1}`, ["x", "ab"]],
		[raw`{"x":1,"\"":{"y":":\\"}}`, ["x", '"']],
		[raw`{"b":1,"\u0061":2,"a":3,"\u005f_proto__":4}`, ["b", "a", "__proto__"]],
	] as const)
		assert.deepEqual(Object.keys(parseJson(text) ?? {}), names, text);
	assert.deepEqual(parseJson(raw`{"\u0061":[{"\n":1}],"a":[{"\n":2}]}`), { a: [{ "\n": 2 }] });
});

test("of a name that is written in several ways the last one counts", () => {
	for (const [text, value] of [
		[raw`{"\u0031":1,"1":2}`, { 1: 2 }],
		[raw`{"1":1,"\u0031":2}`, { 1: 2 }],
		[raw`{"a":1,"\u0061":2,"a":3}`, { a: 3 }],
		[raw`{"\u0061":1,"a":2,"\u0061":3,"b":{"a":4,"\u0061":5}}`, { a: 3, b: { a: 5 } }],
	] as const)
		assert.deepEqual(parseJson(text), value, text);
});

test("a document whose every letter is escaped is the document itself", () => {
	const escaped = (value: JsonValue) =>
		JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (string) => `"${unitsOf(JSON.parse(string))}"`);
	const unitsOf = (text: string) =>
		Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
	fc.assert(
		fc.property(document, (value) =>
			assert.equal(JSON.stringify(parseJson(escaped(value))), JSON.stringify(parseJson(JSON.stringify(value)))),
		),
		{ numRuns: 1_000 },
	);
});

test("text that is no JSON is refused in time that grows with its length alone", () => {
	for (const hostile of [
		`{"\\u0061":"${'\\"'.repeat(400_000)}`,
		`{"\\u0061":"${'\\"'.repeat(400_000)}"`,
		`{"\\u0061"${" ".repeat(900_000)}`,
		raw`{"\x":1}`,
		raw`{"\u0032":1,123:5}`,
		`{"\\n":1,"\n":2}`,
	])
		assert.throws(() => parseJson(hostile), SyntaxError);
});
