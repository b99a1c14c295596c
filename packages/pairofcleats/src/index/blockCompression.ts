import { isAscii } from "node:buffer";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** More than any block we write; a damaged length must not ask for all memory. */
const MOST_BYTES = 512 * 1024 * 1024;

export function compress(data: Uint8Array | string): Uint8Array {
	// A copy: what the compressor returns is a corner of a much larger buffer.
	return new Uint8Array(zstdCompressSync(data));
}

export function decompress(block: Uint8Array): Buffer {
	return zstdDecompressSync(block, { maxOutputLength: MOST_BYTES });
}

/** A block as text. Most are ASCII, and reading those as such takes a third of the time. */
export function decompressText(block: Uint8Array): string {
	const bytes = decompress(block);
	return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

export function compressJson(value: unknown): Uint8Array {
	return compress(JSON.stringify(value));
}
