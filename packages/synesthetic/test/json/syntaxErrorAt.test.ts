import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findSyntaxError } from "../../src/json/syntaxError.ts";

test("the offset is where text stops being JSON", () => {
	const cases: [string, number][] = [
		['{"a": oops}', 6],
		['{"a" 1}', 5],
		["[1,]", 3],
		['{"a":1,}', 7],
		["[1 2]", 3],
		["{} {}", 3],
		["01", 1],
		['"\\x"', 0],
		["[1", 2],
		["", 0],
		["]", 0],
		['{"a":1]', 6],
	];
	for (const [text, offset] of cases) assert.equal(findSyntaxError(text), offset, text);
});

test("one damaged place in valid text is never reported after it, unless the text is still valid", () => {
	fc.assert(
		fc.property(fc.json(), fc.nat(), fc.constantFrom("}", "]", ",", ":", "x", '"'), (text, seed, damage) => {
			const at = seed % (text.length + 1);
			const damaged = text.slice(0, at) + damage + text.slice(at);
			assert.equal(isJson(damaged), findSyntaxError(`${damaged} !`) === damaged.length + 1, damaged);
		}),
	);
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
