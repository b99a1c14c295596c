import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compress, decompress } from "../../src/segment/compression.ts";
import { FileBlocks, type FileRow, FileTable } from "../../src/segment/fileBlocks.ts";

function rowsOf(files: readonly Uint8Array[]): readonly FileRow[] {
	const blocks = new FileBlocks();
	for (const file of files) blocks.add(file);
	return blocks.finish();
}

test("files are read as they were written, each once and under its number", () => {
	const sizes = fc.array(fc.oneof(fc.constant(0), fc.nat(3_000), fc.nat(100_000)), { maxLength: 40 });
	fc.assert(
		fc.property(sizes, (lengths) => {
			const files = lengths.map((length, at) => Buffer.alloc(length, at + 1));
			const read = new Map<number, Buffer>();
			for (const { first, block } of rowsOf(files)) {
				const table = new FileTable(block);
				for (let place = 0; place < table.length; place += 1) read.set(first + place, table.at(place));
			}
			assert.deepEqual([...read], [...files.entries()]);
		}),
		{ numRuns: 50 },
	);
});

test("small files share a row, a large file has its own, and a row has a limited number of empty files", () => {
	const firsts = (lengths: readonly number[]): number[] =>
		rowsOf(lengths.map((length) => new Uint8Array(length))).map(({ first }) => first);
	assert.deepEqual(firsts([10_000, 10_000, 10_000, 10_000]), [0, 3]);
	assert.deepEqual(firsts([10, 40_000, 10, 10]), [0, 1, 2]);
	assert.deepEqual(firsts(new Array(600).fill(0)), [0, 256, 512]);
	assert.deepEqual(firsts([]), []);
});

test("a truncated row or one with wrong lengths is refused", () => {
	const [{ block } = { block: new Uint8Array() }] = rowsOf([Buffer.from("one"), Buffer.from("two")]);
	const row = decompress(block);
	assert.throws(() => new FileTable(compress(row.subarray(0, -1))), RangeError);
	assert.throws(() => new FileTable(compress(row.subarray(0, 1))), RangeError);
	assert.throws(() => new FileTable(compress(Uint8Array.of(...row, 0))), RangeError);
});
