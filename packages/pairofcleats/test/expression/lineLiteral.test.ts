import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { alternativesOf, lineLiteral } from "../../src/expression/lineLiteral.ts";
import { literalFinder } from "../../src/expression/literalFinder.ts";
import { lineMatcher, matchedLines } from "../../src/expression/matchedLines.ts";

test("the literal with the rarest character that every match contains is found, and none is invented", () => {
	assert.deepEqual(lineLiteral("class \\w+Error", "gm"), { text: "Error", leads: false });
	assert.deepEqual(lineLiteral("Klass \\w+eter", "gm"), { text: "Klass ", leads: true });
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
	assert.equal(lineLiteral("a\\\\b", "gm")?.text, "a\\b");
});

test("a character of two units is a whole part of the literal", () => {
	assert.equal(lineLiteral("hi😀there", "gm")?.text, "hi😀there");
	assert.equal(lineLiteral("hi\\😀there", "gm")?.text, "hi😀there");
	const text = "say\nhi😀there\n𠮷there";
	for (const source of ["hi😀there", "hi😀+there", "i😀t", "hi😀?there"])
		for (const flags of ["gm", "gmu"]) assert.deepEqual(lineMatcher(source, flags)(text), [2], `/${source}/${flags}`);
	assert.deepEqual(lineMatcher("𠮷there", "gm")(text), [3]);
});

test("searching by literal finds the same lines as the pattern alone", () => {
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
		"é",
		"😀",
		"😀+",
		"(?:a|bb)",
		"(c)?",
		"(?=b)",
		"(?<!a)",
	);
	const alternative = fc.array(piece, { minLength: 1, maxLength: 5 });
	const text = fc.array(fc.constantFrom("abc", "a", "bb", "\n", " ", ".", "ccc", "x1", "\r\n", "é", "😀"), {
		maxLength: 60,
	});
	const flags = fc.constantFrom("gm", "gmi", "gmu", "gms");
	fc.assert(
		fc.property(fc.array(alternative, { minLength: 1, maxLength: 3 }), text, flags, (alternatives, parts, flags) => {
			const source = alternatives.map((pieces) => pieces.join("")).join("|");
			let pattern: RegExp;
			try {
				pattern = new RegExp(source, flags);
			} catch {
				return;
			}
			assert.deepEqual(lineMatcher(source, flags)(parts.join("")), matchedLines(parts.join(""), pattern));
		}),
		{ numRuns: 4_000 },
	);
});

test("every line that a match touches is found, and no other", () => {
	const many = "x\n".repeat(700);
	for (const source of ["x", "xyz|x", "\\w", "[^y\\n]", "(x)"]) {
		assert.equal(lineMatcher(source, "gm")(many).length, 700, source);
	}
	const literal = "const x\n".repeat(700);
	for (const source of ["const", "\\w+st x", "const|let"]) {
		assert.equal(lineMatcher(source, "gm")(literal).length, 700, source);
	}
	assert.deepEqual(lineMatcher("a\\n", "gm")("a\nb\n"), [1], "the line behind a line break is not touched");
	assert.deepEqual(lineMatcher("a\\n\\s*b", "gm")("a\n\n b\n"), [1, 2, 3]);
	assert.deepEqual(lineMatcher("x*\\n?", "gmu")("😀\n😀"), [1, 2], "an empty match before a pair of units is passed");
});

test("a pattern is split at bars outside groups, classes and escapes", () => {
	assert.deepEqual(alternativesOf("TODO|FIXME"), ["TODO", "FIXME"]);
	assert.deepEqual(alternativesOf("a[|]b\\|c|d"), ["a[|]b\\|c", "d"]);
	assert.deepEqual(alternativesOf("foo|"), ["foo", ""]);
	assert.deepEqual(alternativesOf("(a|b)c|d"), ["(a|b)c|d"]);
	assert.deepEqual(lineMatcher("TODO|FIXME", "gm")("FIXME\n\nTODO FIXME\nTOD\nTODO"), [1, 3, 5]);
});

test("a literal is found where indexOf finds it", () => {
	const letters = fc
		.array(fc.constantFrom("e", "f", "s", "X", "é", "\n"), { maxLength: 40 })
		.map((all) => all.join(""));
	fc.assert(
		fc.property(letters, letters, fc.nat(12), (literal, text, from) => {
			if (literal === "") return;
			const short = literal.slice(0, 3);
			assert.equal(literalFinder(short)(text, from), text.indexOf(short, from));
		}),
		{ numRuns: 4_000 },
	);
});
