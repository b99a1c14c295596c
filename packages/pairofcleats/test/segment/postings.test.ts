import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CodeUnits } from "../../src/segment/codeUnits.ts";
import { ColumnLog, unpackColumns } from "../../src/segment/columns.ts";
import { PostingLog } from "../../src/segment/postingLog.ts";
import { decodePostings, PostingEncoder, STEP_COUNTS, stepOf } from "../../src/segment/postings.ts";
import { TrigramLog, trigramsOf } from "../../src/segment/trigrams.ts";

const rising = fc.uniqueArray(fc.nat(5_000_000), { maxLength: 200 }).map((docs) => docs.sort((a, b) => a - b));

test("a posting list reads back as it was written", () => {
	fc.assert(
		fc.property(rising, fc.nat(255), (docs, value) => {
			const encoder = new PostingEncoder();
			encoder.start();
			for (const doc of docs) encoder.add(doc, value);
			const decoded = decodePostings(encoder.finish(), docs.length, 5_000_001);
			assert.deepEqual([...decoded.docs], docs);
			assert.ok(decoded.values.every((found) => found === value));
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
		const step = stepOf(count);
		assert.ok(step >= last && step <= 15);
		last = step;
		if (count < 60) assert.ok(Math.abs((STEP_COUNTS[step] ?? 0) - count) <= count * 0.4, `${count}`);
	}
});

test("a log sorts by term and keeps documents in order", () => {
	const log = new PostingLog();
	for (const [term, doc] of [
		[2, 0],
		[0, 0],
		[2, 1],
		[1, 2],
		[0, 3],
	] as const)
		log.add(term, doc, doc);
	const { starts, docs } = log.byTerm(3);
	assert.deepEqual([...starts], [0, 2, 3, 5]);
	assert.deepEqual([...docs], [0, 3, 2, 0, 1]);
});

for (const [kind, texts] of [
	["few", ["const a = 1;\n", "", "ab", "función über 漢字 CONST A"]],
	["many", Array.from({ length: 1_500 }, (_, file) => (file % 9 === 0 ? "" : scrambled(file)))],
] as const) {
	test(`each trigram of ${kind} files names just those that have it`, () => {
		const log = new TrigramLog();
		// What an earlier segment had is not in the next.
		for (const text of ["an earlier segment", ...texts.slice(-2)]) addText(log, 0, text);
		log.clear();
		const expected = new Map<number, number[]>();
		for (const [file, text] of texts.entries()) {
			// A file may be passed over, as a segment's first was here.
			if (file === 0) continue;
			addText(log, file, text);
			for (const trigram of trigramsOf(text)) expected.set(trigram, [...(expected.get(trigram) ?? []), file]);
		}
		const lists = [...log.lists()].map(({ trigram, files }) => [trigram, [...files]] as const);
		assert.deepEqual(
			lists,
			[...expected].sort(([a], [b]) => a - b),
		);
	});
}

function addText(log: TrigramLog, file: number, text: string): void {
	log.addFile(file, new CodeUnits().load(text).units, text.length);
}

/** Fifty words that no other number has in this order. */
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
		twin: 0xffffffff,
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
	assert.equal(columns.twin[1], 0xffffffff);
	assert.equal(columns.length[0], 65_535, "lengths saturate");
	assert.equal(columns.branches[0], 255, "counts saturate");
	assert.throws(() => unpackColumns(bytes, 3), RangeError);
});
