import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineLiteral } from "../../src/query/lineLiteral.ts";
import { matchedLines, matchedLinesWith } from "../../src/query/matchedLines.ts";

test("the longest run of characters that every match has is found, and none is made up", () => {
	assert.equal(lineLiteral("class \\w+Error", "gm"), "class ");
	assert.equal(lineLiteral("[a-z]+_[a-z]+_id", "gm"), "_id");
	assert.equal(lineLiteral("^\\s*def", "gm"), undefined, "\\s may be a line break");
	assert.equal(lineLiteral("foo[^x]bar", "gm"), undefined, "so may anything but x");
	assert.equal(lineLiteral("foo|bar", "gm"), undefined);
	assert.equal(lineLiteral("(foo)?bar", "gm"), undefined);
	assert.equal(lineLiteral("abc", "gim"), undefined);
	assert.equal(lineLiteral("abcd?", "gm"), "abc");
	assert.equal(lineLiteral("abcd*ef", "gm"), "abc");
	assert.equal(lineLiteral("a\\.b\\(c", "gm"), "a.b(c");
});

test("lines found by the literal are those found by the pattern alone", () => {
	const piece = fc.constantFrom(
		"abc",
		"a",
		"b",
		"\\w+",
		"\\d*",
		"[ab]",
		"[a-c]+",
		".",
		".*",
		"c+",
		"b{2}",
		"\\b",
		"^",
		"$",
		"\\.",
		"x?",
		"\\S",
	);
	const text = fc.array(fc.constantFrom("abc", "a", "bb", "\n", " ", ".", "ccc", "x1", "\r\n", "é"), { maxLength: 60 });
	fc.assert(
		fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), text, (pieces, parts) => {
			const source = pieces.join("");
			let pattern: RegExp;
			try {
				pattern = new RegExp(source, "gm");
			} catch {
				return;
			}
			const literal = lineLiteral(source, "gm");
			if (literal === undefined) return;
			assert.deepEqual(matchedLinesWith(literal, parts.join(""), pattern), matchedLines(parts.join(""), pattern));
		}),
		{ numRuns: 2_000 },
	);
});
