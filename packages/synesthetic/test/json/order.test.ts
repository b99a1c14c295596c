import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareByCodePoint } from "../../src/json/jsonValue.ts";

test("order is by code point, halves of pairs that stand alone included", () => {
	const ordered = ["", "A", "a", "a\ud800", "a\ud800b", "a\udc00", "a\ue000", "a\uffff", "a😀", "a😀b", "a😁", "b"];
	assert.deepEqual([...ordered].reverse().sort(compareByCodePoint), ordered);
});

test("any two texts compare as the lists of their code points do", () => {
	const units = fc.constantFrom("a", "\u00e9", "\ud800", "\ud83d", "\udc00", "\ude00", "\ue000", "\uffff");
	const text = fc.array(units, { maxLength: 6 }).map((parts) => parts.join(""));
	fc.assert(
		fc.property(text, text, (left, right) => {
			assert.equal(Math.sign(compareByCodePoint(left, right)), byList(codePoints(left), codePoints(right)));
		}),
		{ numRuns: 2_000 },
	);
});

function codePoints(text: string): number[] {
	return [...text].map((character) => character.codePointAt(0) ?? 0);
}

function byList(left: readonly number[], right: readonly number[]): number {
	const at = left.findIndex((point, i) => point !== right[i]);
	if (at === -1) return Math.sign(left.length - right.length);
	const other = right[at];
	return other === undefined ? 1 : Math.sign((left[at] ?? 0) - other);
}
