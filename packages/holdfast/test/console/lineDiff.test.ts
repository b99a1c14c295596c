import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineDiff } from "../../src/console/page/tools/lineDiff.ts";

test("a diff names what went and what came, and keeps the rest", () => {
	assert.deepEqual(
		lineDiff("a\nb\nc", "a\nx\nc").map(({ sign, text }) => sign + text),
		[" a", "-b", "+x", " c"],
	);
});

test("both texts can be read back from any diff", () => {
	const text = fc
		.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 30 })
		.map((lines) => lines.join("\n"));
	fc.assert(
		fc.property(text, text, (before, after) => {
			const diff = lineDiff(before, after);
			const side = (other: string) =>
				diff
					.filter(({ sign }) => sign !== other)
					.map((line) => line.text)
					.join("\n");
			assert.equal(side("+"), before);
			assert.equal(side("-"), after);
		}),
	);
});
