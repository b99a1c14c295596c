import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ColumnLog, unpackColumns } from "../../src/segment/columns.ts";
import {
	countToStep,
	decodePostings,
	IN_DOC,
	IN_NAME,
	PostingEncoder,
	STEP_COUNTS,
} from "../../src/segment/postings.ts";
import { listTrigrams, SegmentKernel } from "../../src/segment/segmentKernel.ts";
import { listTrigramsOf } from "../../src/segment/trigrams.ts";
import { DocumentTerms } from "../../src/segment/vocabulary.ts";

const rising = fc.uniqueArray(fc.nat(5_000_000), { maxLength: 200 }).map((docs) => docs.sort((a, b) => a - b));

test("a posting list reads back as it was written", () => {
	fc.assert(
		fc.property(rising, fc.integer({ min: 1, max: 255 }), (docs, most) => {
			const encoder = new PostingEncoder();
			encoder.start();
			for (const doc of docs) encoder.add(doc, 1 + (doc % most));
			const decoded = decodePostings(encoder.finish(), docs.length, 5_000_001);
			assert.deepEqual([...decoded.docs], docs);
			assert.deepEqual(
				[...decoded.values],
				docs.map((doc) => 1 + (doc % most)),
			);
		}),
	);
});

test("a posting list that is cut, too long or out of range is refused", () => {
	const encoder = new PostingEncoder();
	encoder.start();
	for (const doc of [3, 200, 70_000]) encoder.add(doc, 1);
	const bytes = encoder.finish().slice();
	assert.throws(() => decodePostings(bytes.subarray(0, -1), 3, 80_000), RangeError);
	assert.throws(() => decodePostings(bytes, 2, 80_000), RangeError);
	assert.throws(() => decodePostings(bytes, 3, 70_000), RangeError);
	assert.throws(() => decodePostings(bytes, 1_000_000_000, 80_000), RangeError);
});

test("steps of counts rise with the count and stay near it", () => {
	let last = 0;
	for (let count = 1; count < 300; count++) {
		const step = countToStep(count);
		assert.ok(step >= last && step <= 15);
		last = step;
		if (count < 60) assert.ok(Math.abs((STEP_COUNTS[step] ?? 0) - count) <= count * 0.4, `${count}`);
	}
});

test("postings are written by term, documents in order, as the encoder writes them", () => {
	const documents = fc.array(fc.uniqueArray(fc.nat(40)), { maxLength: 60 });
	fc.assert(
		fc.property(documents, fc.nat(3_000_000), (terms, first) => {
			const { exports, bytes } = new SegmentKernel();
			for (let term = 0; term <= 40; term++) exports.newTerm(0);
			for (const [doc, own] of terms.entries()) {
				for (const term of own) exports.addPosting(term, (doc + term) & 0xff);
				exports.endRun(first + doc * doc);
			}
			exports.sortPostings();
			const encoder = new PostingEncoder();
			for (let term = 0; term <= 40; term++) {
				encoder.start();
				const docs = [...terms.keys()].filter((doc) => terms[doc]?.includes(term));
				for (const doc of docs) encoder.add(first + doc * doc, (doc + term) & 0xff);
				assert.equal(exports.countOf(term), docs.length);
				const at = exports.encodedAt();
				assert.deepEqual([...bytes.subarray(at, at + exports.encode(term))], [...encoder.finish()]);
			}
		}),
	);
});

test("a document has each of its terms once, with the step of its count and the fields it stands in", () => {
	const kernel = new SegmentKernel();
	const terms = new DocumentTerms(kernel, () => []);
	for (const count of [1, 10, 11, 40, 41, 64, 1_000]) {
		terms.startFile("word ".repeat(count));
		assert.equal(terms.countBody(0, 5 * count).length, count);
		terms.markText("words", IN_NAME);
		terms.markText("Wording of it", IN_DOC);
		terms.write(count);
		// The counts of one document must not leak into the next.
		terms.startFile("otherwise");
		terms.countBody(0, 9);
		terms.write(count + 1);
	}
	kernel.exports.sortPostings();
	const [word = -1] = terms.termsOf("word");
	const at = kernel.exports.encodedAt();
	const list = decodePostings(kernel.bytes.subarray(at, at + kernel.exports.encode(word)), 7, 2_000);
	assert.deepEqual([...list.docs], [1, 10, 11, 40, 41, 64, 1_000]);
	assert.deepEqual(
		[...list.values],
		[...list.docs].map((count) => countToStep(count) | IN_NAME | IN_DOC),
	);
});

for (const [kind, texts] of [
	["few", ["const a = 1;\n", "", "ab", "función über 漢字 CONST A"]],
	["many", Array.from({ length: 1_500 }, (_, file) => (file % 9 === 0 ? "" : scrambled(file)))],
] as const) {
	test(`each trigram of ${kind} files names just those that have it`, () => {
		const kernel = new SegmentKernel();
		const terms = new DocumentTerms(kernel, () => []);
		const addText = (file: number, text: string): void => {
			terms.startFile(text);
			terms.noteTrigrams(file);
		};
		// The trigrams of an earlier segment must not leak into the next.
		for (const [file, text] of ["an earlier segment", ...texts.slice(-2)].entries()) addText(file, text);
		kernel.exports.clear();
		const expected = new Map<number, number[]>();
		for (const [file, text] of texts.entries()) {
			// A file can be skipped, here the first of the segment.
			if (file === 0) continue;
			addText(file, text);
			for (const trigram of listTrigramsOf(text)) expected.set(trigram, [...(expected.get(trigram) ?? []), file]);
		}
		const lists = [...listTrigrams(kernel)].map(({ trigram, files }) => [trigram, [...files]] as const);
		assert.deepEqual(
			lists,
			[...expected].sort(([a], [b]) => a - b),
		);
	});
}

/** Fifty words in an order that is unique to the seed. */
function scrambled(seed: number): string {
	return Array.from({ length: 50 }, (_, word) => ((seed * 7919 + word * 104_729) % 46_656).toString(36)).join(" ");
}

test("columns read back, and a block of the wrong size is refused", () => {
	const row = {
		file: 7,
		start: 1,
		end: 70_000,
		startLine: 3,
		endLine: 9,
		extentEndLine: 9,
		twinLow: 0xffffffff,
		twinHigh: 0x1fffff,
		length: 99_999,
		flags: 5,
		kind: 2,
		mode: 1,
		branches: 300,
		loops: 0,
		breaks: 1,
		continues: 2,
	};
	const log = new ColumnLog();
	log.add(row);
	log.add({ ...row, file: 8 });
	const bytes = log.packed();
	const columns = unpackColumns(bytes, 2);
	assert.deepEqual([...columns.file], [7, 8]);
	assert.deepEqual([columns.twinLow[1], columns.twinHigh[1]], [0xffffffff, 0x1fffff]);
	assert.equal(columns.length[0], 65_535, "lengths saturate");
	assert.equal(columns.branches[0], 255, "counts saturate");
	assert.throws(() => unpackColumns(bytes, 3), RangeError);
});
