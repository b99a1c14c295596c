import assert from "node:assert/strict";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { compress, decompress, decompressText } from "../../src/segment/compression.ts";

/** Sizes whose header field has one, two and four bytes, including the limits of each. */
const SIZES = [0, 1, 63, 64, 255, 256, 257, 65_535, 65_791, 65_792, 65_793, 200_000, 17 * 1024 * 1024];

test("a decompressed block equals the original and has its own memory", () => {
	for (const size of SIZES) {
		const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31) % 251);
		const back = decompress(compress(bytes));
		assert.equal(Buffer.compare(back, bytes), 0, `${size} bytes`);
		if (size > 8_192 && size < 16 * 1024 * 1024) assert.equal(back.buffer.byteLength, size + 1);
	}
});

test("a wrong size in a block's header is not trusted", () => {
	const bytes = Buffer.from("a block of text, again and again. ".repeat(40));
	for (const size of [0, 3, 500, 60_000]) {
		const block = compress(bytes);
		new DataView(block.buffer).setUint16(5, size, true);
		assert.throws(() => decompress(block), /./, `a size of ${size + 256}`);
	}
	const silent = zstdCompressSync(bytes, { params: { 200: 0 } });
	assert.equal(decompressText(silent), bytes.toString());
});

test("texts with any characters survive compression", () => {
	for (const text of ["", "plain", "größer → 𝒳", "\u0000"]) assert.equal(decompressText(compress(text)), text);
});
