import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findLeastOfBest } from "../../src/rank/score/scores.ts";

test("the least of the best is what sorting would find", () => {
	const values = fc.array(fc.double({ noNaN: true, min: -5, max: 5 }), { minLength: 1, maxLength: 60 });
	fc.assert(
		fc.property(values, fc.integer({ min: 1, max: 70 }), (list, most) => {
			const sorted = list.toSorted((a, b) => b - a);
			const expected = list.length <= most ? Number.NEGATIVE_INFINITY : (sorted[most - 1] ?? 0);
			// Positive and negative zero are both fine.
			assert.equal(findLeastOfBest(Float64Array.from(list), most) + 0, expected + 0);
		}),
	);
});
