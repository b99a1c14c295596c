import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
	findLineLiteral,
	findMatchedLines,
	listAlternatives,
	makeLineMatcher,
	makeLiteralFinder,
} from "../../src/expression/matchedLines.ts";

test("the literal with the rarest character that every match contains is found, and none is invented", () => {
	assert.deepEqual(findLineLiteral("class \\w+Error", "gm"), { text: "Error", leads: false });
	assert.deepEqual(findLineLiteral("Klass \\w+eter", "gm"), { text: "Klass ", leads: true });
	assert.deepEqual(findLineLiteral("\\w+ classes", "gm"), { text: " classes", leads: false });
	assert.deepEqual(findLineLiteral("\\bself\\b", "gm"), { text: "self", leads: true });
	assert.deepEqual(findLineLiteral("[a-z]+_[a-z]+_id", "gm"), { text: "_id", leads: false });
	assert.equal(findLineLiteral("^\\s*def", "gm"), undefined, "\\s may be a line break");
	assert.equal(findLineLiteral("foo[^x]bar", "gm"), undefined, "so may anything but x");
	assert.equal(findLineLiteral("foo|bar", "gm"), undefined);
	assert.equal(findLineLiteral("(foo)?bar", "gm"), undefined);
	assert.equal(findLineLiteral("abc", "gim"), undefined);
	assert.equal(findLineLiteral("abcd?", "gm")?.text, "abc");
	assert.equal(findLineLiteral("abcd*ef", "gm")?.text, "abc");
	assert.equal(findLineLiteral("a\\.b\\(c", "gm")?.text, "a.b(c");
	assert.equal(findLineLiteral("a\\\\b", "gm")?.text, "a\\b");
});

test("a character of two units is a whole part of the literal", () => {
	assert.equal(findLineLiteral("hi😀there", "gm")?.text, "hi😀there");
	assert.equal(findLineLiteral("hi\\😀there", "gm")?.text, "hi😀there");
	const text = "say\nhi😀there\n𠮷there";
	for (const source of ["hi😀there", "hi😀+there", "i😀t", "hi😀?there"])
		for (const flags of ["gm", "gmu"])
			assert.deepEqual(makeLineMatcher(source, flags)(text), [2], `/${source}/${flags}`);
	assert.deepEqual(makeLineMatcher("𠮷there", "gm")(text), [3]);
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
			assert.deepEqual(makeLineMatcher(source, flags)(parts.join("")), findMatchedLines(parts.join(""), pattern));
		}),
		{ numRuns: 4_000 },
	);
});

test("every line that a match touches is found, and no other", () => {
	const many = "x\n".repeat(700);
	for (const source of ["x", "xyz|x", "\\w", "[^y\\n]", "(x)"]) {
		assert.equal(makeLineMatcher(source, "gm")(many).length, 700, source);
	}
	const literal = "const x\n".repeat(700);
	for (const source of ["const", "\\w+st x", "const|let"]) {
		assert.equal(makeLineMatcher(source, "gm")(literal).length, 700, source);
	}
	assert.deepEqual(makeLineMatcher("a\\n", "gm")("a\nb\n"), [1], "the line behind a line break is not touched");
	assert.deepEqual(makeLineMatcher("a\\n\\s*b", "gm")("a\n\n b\n"), [1, 2, 3]);
	assert.deepEqual(
		makeLineMatcher("x*\\n?", "gmu")("😀\n😀"),
		[1, 2],
		"an empty match before a pair of units is passed",
	);
});

test("a pattern is split at bars outside groups, classes and escapes", () => {
	assert.deepEqual(listAlternatives("TODO|FIXME"), ["TODO", "FIXME"]);
	assert.deepEqual(listAlternatives("a[|]b\\|c|d"), ["a[|]b\\|c", "d"]);
	assert.deepEqual(listAlternatives("foo|"), ["foo", ""]);
	assert.deepEqual(listAlternatives("(a|b)c|d"), ["(a|b)c|d"]);
	assert.deepEqual(makeLineMatcher("TODO|FIXME", "gm")("FIXME\n\nTODO FIXME\nTOD\nTODO"), [1, 3, 5]);
});

test("a literal is found where indexOf finds it", () => {
	const letters = fc
		.array(fc.constantFrom("e", "f", "s", "X", "é", "\n"), { maxLength: 40 })
		.map((all) => all.join(""));
	fc.assert(
		fc.property(letters, letters, fc.nat(12), (literal, text, from) => {
			if (literal === "") return;
			const short = literal.slice(0, 3);
			assert.equal(makeLiteralFinder(short)(text, from), text.indexOf(short, from));
		}),
		{ numRuns: 4_000 },
	);
});
