import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isUndemanding, type Requirement, readRegexRequirement } from "../../src/expression/trigramFiles.ts";
import { listTrigramsOf } from "../../src/segment/trigrams.ts";

function met(requirement: Requirement, trigrams: ReadonlySet<number>): boolean {
	return (
		[...requirement.trigrams].every((trigram) => trigrams.has(trigram)) &&
		requirement.anyOf.every((alternatives) => alternatives.some((alternative) => met(alternative, trigrams)))
	);
}

test("the literals of a pattern are required", () => {
	assert.deepEqual(readRegexRequirement("foo\\.bar", "").trigrams, listTrigramsOf("foo.bar"));
	assert.deepEqual(readRegexRequirement("^\\bspawn\\w+\\(", "").trigrams, new Set([...listTrigramsOf("spawn")]));
});

test("one of the alternatives is required, and an alternative without literals lifts the requirement", () => {
	assert.equal(readRegexRequirement("alpha|beta", "").anyOf[0]?.length, 2);
	assert.ok(isUndemanding(readRegexRequirement("alpha|.", "")));
});

test("optional parts of a pattern are not required", () => {
	for (const pattern of ["(?:foo)?", "foo*", "x{0,3}yz", "(?!foo)b", "(?=foo).", "[foo]{3}", "\\x66oo", "(?<!foo)."]) {
		const text = pattern === "foo*" ? "fo" : "zzyzb";
		if (new RegExp(pattern).test(text))
			assert.ok(met(readRegexRequirement(pattern, ""), listTrigramsOf(text)), pattern);
	}
	assert.ok(
		met(readRegexRequirement("ab😀?cd", "u"), listTrigramsOf("abcd")),
		"a character of two units is one to a quantifier",
	);
});

test("what follows an escape is not taken for a part of it", () => {
	const cases: readonly (readonly [source: string, text: string])[] = [
		["\\s<div|<p>text", "q <div"],
		["\\w<T|U>foo", "x<T only"],
		["\\d{ab|c}def", "1{ab"],
		["\\Wface|d", "d"],
		["x\\101bc", "xAbc"],
	];
	for (const [source, text] of cases) {
		assert.match(text, new RegExp(source));
		assert.ok(met(readRegexRequirement(source, ""), listTrigramsOf(text)), source);
	}
	assert.deepEqual(readRegexRequirement("\\s<div>", "").trigrams, listTrigramsOf("<div>"));
});

test("every text that a pattern matches contains what the pattern requires", () => {
	const atom = fc.constantFrom(
		"a",
		"b",
		"ab",
		"abc",
		"\\.",
		"[ab]",
		".",
		"\\w",
		"\\s",
		"<a",
		"b>c",
		"(?:ab|c)",
		"(abc)",
		"(a|bc)",
		"\\b",
		"é",
		"😀",
	);
	const quantified = fc
		.tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "+?", "{0,1}"))
		.map(([a, q]) => (a === "\\b" ? a : a + q));
	const sequence = fc.array(quantified, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
	const pattern = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((branches) => branches.join("|"));
	const text = fc
		.array(fc.constantFrom("a", "b", "c", ".", " ", "é", "😀", "A", "B", "<a", "b>c"), { maxLength: 40 })
		.map((parts) => parts.join(""));
	fc.assert(
		fc.property(pattern, text, fc.constantFrom("", "i", "u"), (source, subject, flags) => {
			if (!new RegExp(source, flags).test(subject)) return;
			assert.ok(
				met(readRegexRequirement(source, flags), listTrigramsOf(subject)),
				`/${source}/${flags} on ${JSON.stringify(subject)}`,
			);
		}),
		{ numRuns: 4_000 },
	);
});
