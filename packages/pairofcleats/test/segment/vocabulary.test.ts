import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SegmentKernel } from "../../src/segment/segmentKernel.ts";
import { DocumentTerms, Vocabulary } from "../../src/segment/vocabulary.ts";
import { splitIntoTerms, splitIntoWords } from "../../src/tokens/words.ts";

/** The terms of a text as the index sees them, in order. */
function indexed(text: string): (string | undefined)[] {
	const kernel = new SegmentKernel();
	const ids = new DocumentTerms(kernel, () => []).termsOf(text);
	const byId = new Map([...new Vocabulary(kernel).sorted()].map(([term, id]) => [id, term]));
	return ids.map((id) => byId.get(id));
}

test("the index finds the same words in a text as a query would, in any script", () => {
	const piece = fc.constantFrom(
		"fooBar",
		"x1",
		"12ab",
		"_a$b",
		" ",
		".",
		"\n",
		"na\u00efve",
		"\u6f22\u5b57",
		"\u{1f600}",
		"\u00e9",
		"7",
		"\u0301",
		"Z",
		"\u{10400}x",
		"\ud801",
		"\u0663",
		"\u{1d7d8}",
	);
	fc.assert(
		fc.property(
			fc.oneof(
				fc.array(piece, { maxLength: 30 }).map((parts) => parts.join("")),
				fc.string({ unit: "binary" }),
			),
			(text) => {
				assert.deepEqual(indexed(text), splitIntoWords(text).flatMap(splitIntoTerms));
			},
		),
		{ numRuns: 150 },
	);
});

test("the index splits and stems an identifier as a query does", () => {
	const part = fc.oneof(
		fc.stringMatching(/^[a-z]{1,7}(?:s|es|ies|sses|xes|ches|shes|us|is|ing|ed|ey|y|e|pp|nning|tted|zz)?$/),
		fc.stringMatching(/^[A-Z]{1,4}[a-z]{0,6}$/),
		fc.constantFrom("_", "$", "s", "ies", "ing", "yes", "used", "ring", "1", "2024", "HTTP", "Y"),
	);
	const identifier = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
	fc.assert(
		fc.property(fc.array(identifier, { minLength: 20, maxLength: 60 }), (identifiers) => {
			const text = identifiers.join(" ");
			assert.deepEqual(indexed(text), splitIntoWords(text).flatMap(splitIntoTerms));
		}),
		{ numRuns: 150 },
	);
});

test("a word of 64 letters is found by its terms, and a longer one by none", () => {
	for (const length of [63, 64, 65, 200]) {
		const text = `aB${"x".repeat(length - 2)} next ${"\u00dc".repeat(length)}`;
		assert.deepEqual(indexed(text), splitIntoWords(text).flatMap(splitIntoTerms));
	}
});

test("terms are sorted by their bytes, even with long common prefixes", () => {
	const term = fc.oneof(
		fc.stringMatching(/^(?:prefixes)?[ab]{1,12}$/),
		fc.stringMatching(/^[\u00e0\uffdc\u{10428}a]{1,6}$/u),
	);
	fc.assert(
		fc.property(fc.array(term, { maxLength: 60 }), (terms) => {
			const kernel = new SegmentKernel();
			new DocumentTerms(kernel, () => []).termsOf(terms.join(" "));
			const sorted = [...new Vocabulary(kernel).sorted()].map(([text]) => text);
			const expected = [...new Set(terms.flatMap(splitIntoTerms))]
				.map((text) => Buffer.from(text))
				.sort(Buffer.compare);
			assert.deepEqual(
				sorted,
				expected.map((text) => text.toString("utf8")),
			);
		}),
	);
});

test("many words do not collide", () => {
	const text = Array.from({ length: 30_000 }, (_, index) => `w${index.toString(36)}q`).join(" ");
	assert.deepEqual(indexed(text), splitIntoWords(text).flatMap(splitIntoTerms));
});

test("no two of 200,000 texts have the same hash, or one would be taken for a copy of the other", () => {
	const terms = new DocumentTerms(new SegmentKernel(), () => []);
	const seen = new Set<number>();
	for (let at = 0; at < 200_000; at++) seen.add(hashOf(terms, `${at % 450} (${Math.floor(at / 450)})`));
	assert.equal(seen.size, 200_000);
});

test("a copy with other whitespace has the same hash, and one with other punctuation has another", () => {
	const twinOf = (text: string): number => hashOf(new DocumentTerms(new SegmentKernel(), () => []), text);
	const code = "if (a1 < b) {\n\treturn call(a1, 'x');\n}\n";
	assert.equal(twinOf(code.replaceAll("\n", "\n    ")), twinOf(code));
	for (const other of [code.replace("<", ">"), code.replace("a1", "a2"), code.replace("return", "return !")]) {
		assert.notEqual(twinOf(other), twinOf(code));
	}
});

function hashOf(terms: DocumentTerms, text: string): number {
	const { twinLow, twinHigh } = terms.countText(text);
	return twinHigh * 2 ** 32 + twinLow;
}
