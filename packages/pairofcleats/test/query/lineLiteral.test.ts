import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineLiteral } from "../../src/query/lineLiteral.ts";
import { lineMatcher, matchedLines } from "../../src/query/matchedLines.ts";

test("the longest run of characters that every match has is found, and none is made up", () => {
	assert.deepEqual(lineLiteral("class \\w+Error", "gm"), { text: "class ", leads: true });
	assert.deepEqual(lineLiteral("\\w+ classes", "gm"), { text: " classes", leads: false });
	assert.deepEqual(lineLiteral("\\bself\\b", "gm"), { text: "self", leads: true });
	assert.deepEqual(lineLiteral("[a-z]+_[a-z]+_id", "gm"), { text: "_id", leads: false });
	assert.equal(lineLiteral("^\\s*def", "gm"), undefined, "\\s may be a line break");
	assert.equal(lineLiteral("foo[^x]bar", "gm"), undefined, "so may anything but x");
	assert.equal(lineLiteral("foo|bar", "gm"), undefined);
	assert.equal(lineLiteral("(foo)?bar", "gm"), undefined);
	assert.equal(lineLiteral("abc", "gim"), undefined);
	assert.equal(lineLiteral("abcd?", "gm")?.text, "abc");
	assert.equal(lineLiteral("abcd*ef", "gm")?.text, "abc");
	assert.equal(lineLiteral("a\\.b\\(c", "gm")?.text, "a.b(c");
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
			assert.deepEqual(lineMatcher(source, "gm")(parts.join("")), matchedLines(parts.join(""), pattern));
		}),
		{ numRuns: 2_000 },
	);
});
