import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareUtf8 } from "../../src/segment/bytes.ts";
import { eachTerm, findTerm, listTermsAround, TermBlocks, type TermRow } from "../../src/segment/termBlocks.ts";
import { eachList, findList, TrigramBlocks, type TrigramRow } from "../../src/segment/trigrams.ts";

const term = fc.oneof(
	fc.string({ unit: fc.constantFrom("a", "b", "é", "\u{10400}", "\uffee", "_"), minLength: 1, maxLength: 6 }),
	fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
);

function written(terms: readonly string[], size: number): TermRow[] {
	const rows: TermRow[] = [];
	const blocks = new TermBlocks(({ first, block }) => rows.push({ first, block: block.slice() }));
	for (const [index, text] of terms.entries())
		blocks.add(text, index, new Uint8Array((index * size) % 700).fill(index));
	blocks.flush();
	return rows;
}

/** The last row that does not begin after the term, as the store finds it. */
function rowOf(rows: readonly TermRow[], text: string): TermRow | undefined {
	return rows.findLast(({ first }) => compareUtf8(first, text) <= 0);
}

test("the order of the store is that of UTF-8 bytes", () => {
	fc.assert(
		fc.property(term, term, (a, b) => {
			assert.equal(Math.sign(compareUtf8(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
		}),
	);
});

test("every term is found with its postings, in order, and no other is", () => {
	fc.assert(
		fc.property(fc.uniqueArray(term, { maxLength: 60 }), term, fc.integer({ min: 1, max: 90 }), (list, other, size) => {
			const terms = list.sort(compareUtf8);
			const rows = written(terms, size);
			assert.deepEqual(
				rows.flatMap((row) => [...eachTerm(row)].map((entry) => entry.term)),
				terms,
			);
			for (const [index, text] of terms.entries()) {
				const row = rowOf(rows, text);
				const found = row && findTerm(row, text);
				assert.equal(found?.count, index, JSON.stringify(text));
				assert.deepEqual(found?.bytes, new Uint8Array((index * size) % 700).fill(index));
			}
			const row = rowOf(rows, other);
			if (row && !terms.includes(other)) assert.equal(findTerm(row, other), undefined);
		}),
	);
});

test("the terms that begin or end with a letter are found with their postings, and no other is", () => {
	fc.assert(
		fc.property(fc.uniqueArray(term, { maxLength: 60 }), fc.integer({ min: 1, max: 90 }), (list, size) => {
			const rows = written(list.sort(compareUtf8), size);
			for (const letter of ["a", "é", "\u{10400}"])
				assert.deepEqual(
					rows.flatMap((row) => [...listTermsAround(row, letter)]),
					rows.flatMap((row) =>
						[...eachTerm(row)].filter((entry) => entry.term.startsWith(letter) || entry.term.endsWith(letter)),
					),
				);
		}),
	);
});

test("trigram lists read back as written, one by one and all together", () => {
	const files = fc
		.uniqueArray(fc.nat(65_535), { minLength: 1, maxLength: 400 })
		.map((list) => list.sort((a, b) => a - b));
	fc.assert(
		fc.property(fc.dictionary(fc.nat(262_143).map(String), files, { maxKeys: 30 }), (byTrigram) => {
			const lists = Object.entries(byTrigram)
				.map(([trigram, list]) => [Number(trigram), list] as const)
				.sort(([a], [b]) => a - b);
			const rows: TrigramRow[] = [];
			const blocks = new TrigramBlocks(({ first, block }) => rows.push({ first, block: block.slice() }));
			for (const [trigram, list] of lists) blocks.add(trigram, list);
			blocks.flush();
			const read = rows.flatMap((row) => [...eachList(row)].map(({ trigram, files: list }) => [trigram, [...list]]));
			assert.deepEqual(read, lists);
			for (const [trigram, list] of lists) {
				const row = rows.findLast(({ first }) => first <= trigram);
				assert.deepEqual([...((row && findList(row, trigram)) ?? [])], list);
			}
		}),
		{ numRuns: 50 },
	);
});

test("a damaged block is refused, never read past its end", () => {
	const [row] = written(["alpha", "beta", "gamma"], 50);
	assert.ok(row);
	assert.throws(() => [...eachTerm({ ...row, block: row.block.subarray(0, -1) })], RangeError);
	assert.throws(() => findTerm({ ...row, block: row.block.subarray(0, -1) }, "gamma"), RangeError);
	assert.throws(() => [...eachList({ first: 1, block: Uint8Array.of(0, 200, 1, 0) })], RangeError);
});
