import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CodeUnits } from "../../src/segment/codeUnits.ts";
import { Vocabulary } from "../../src/segment/vocabulary.ts";
import { termsOf, wordsOf } from "../../src/tokens/terms.ts";

/** The terms of a text as the index sees them, in order. */
function indexed(text: string): (string | undefined)[] {
	const vocabulary = new Vocabulary();
	const { words } = vocabulary;
	const ids = [...words.read(new CodeUnits().load(text).units, 0, text.length)].flatMap((word) => [
		...words.terms.subarray(words.termStarts[word], words.termStarts[word + 1]),
	]);
	const byId = new Map([...vocabulary.sorted()].map(([term, id]) => [id, term]));
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
				assert.deepEqual(indexed(text), wordsOf(text).flatMap(termsOf));
			},
		),
		{ numRuns: 150 },
	);
});

test("many words do not collide", () => {
	const text = Array.from({ length: 30_000 }, (_, index) => `w${index.toString(36)}q`).join(" ");
	assert.deepEqual(indexed(text), wordsOf(text).flatMap(termsOf));
});

test("a copy that is only spaced otherwise has the same hash, and one that differs by a mark has another", () => {
	const twinOf = (text: string): number => {
		const { words } = new Vocabulary();
		words.read(new CodeUnits().load(text).units, 0, text.length);
		return words.twin;
	};
	const code = "if (a1 < b) {\n\treturn call(a1, 'x');\n}\n";
	assert.equal(twinOf(code.replaceAll("\n", "\n    ")), twinOf(code));
	for (const other of [code.replace("<", ">"), code.replace("a1", "a2"), code.replace("return", "return !")]) {
		assert.notEqual(twinOf(other), twinOf(code));
	}
});
