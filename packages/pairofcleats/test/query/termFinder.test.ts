import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TermFinder } from "../../src/query/snippet.ts";
import { splitIntoTerms, splitIntoWords } from "../../src/tokens/words.ts";

const word = fc.constantFrom(
	"getUserName",
	"get_user_name",
	"a_bcd",
	"id",
	"userId",
	"idOf",
	"c",
	"caching",
	"cached",
	"queries",
	"Query",
	"HTTPHeader",
	"v2",
	"12ab",
	"x1y2",
	"$el",
	"na\u00efve",
	"\u6f22\u5b57",
	"\u{1f600}",
);
const gap = fc.constantFrom(" ", ".", "(", "\t", "-", "\u00e9", "");

test("the terms of a query are counted in a line as the index would find them there, each once", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(word, gap)), fc.array(word, { maxLength: 8 }), (pieces, asked) => {
			const line = pieces.flat().join("");
			const terms = [...new Set(asked.flatMap(splitIntoWords).flatMap(splitIntoTerms))];
			const there = new Set(splitIntoWords(line).flatMap(splitIntoTerms));
			const finder = new TermFinder(terms);
			const text = `before ${line}\nbehind`;
			const expected = terms.filter((term) => there.has(term)).length;
			assert.equal(finder.countIn(text, 7, 7 + line.length), expected);
			assert.equal(finder.countIn(text, 7, 7 + line.length), expected, "the next line is counted afresh");
		}),
		{ numRuns: 300 },
	);
});
