import { isAscii } from "node:buffer";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { passGates } from "./decompressionGate.ts";

/** More than any block we write; a damaged length must not ask for all memory. */
const MOST_BYTES = 512 * 1024 * 1024;

export function compress(data: Uint8Array | string): Uint8Array {
	const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
	// Room for what little there may be: left alone, the compressor takes 64 kB for every small file.
	const chunkSize = Math.min(Math.max(bytes.length, LEAST_CHUNK), MOST_CHUNK);
	// A copy: what the compressor returns is a corner of a larger buffer.
	return new Uint8Array(zstdCompressSync(bytes, { chunkSize }));
}

export function decompress(block: Uint8Array): Buffer {
	// Into one piece where its size is known: pieces are joined into a copy, and all of them are left to the collector.
	const size = sizeOf(block);
	const options = {
		maxOutputLength: MOST_BYTES,
		...(size !== undefined && { chunkSize: Math.max(size + 1, LEAST_CHUNK) }),
	};
	return passGates(() => zstdDecompressSync(block, options));
}

export function decompressText(block: Uint8Array): string {
	return decoded(decompress(block));
}

/** UTF-8 as text. Most is ASCII, and reading that as such takes a third of the time. */
export function decoded(utf8: Buffer): string {
	return utf8.toString(isAscii(utf8) ? "latin1" : "utf8");
}

/** The smallest piece that both take, and the largest that is given; the largest size that is believed unseen. */
const LEAST_CHUNK = 64;
const MOST_CHUNK = 64 * 1024;
const MOST_BELIEVED = 16 * 1024 * 1024;
/** In front of the size are the mark of the format and a byte that says how many bytes the size takes. */
const SIZE_AT = 5;
const SINGLE_SEGMENT = 0x20;

/** How long the content is, as the frame's header (RFC 8878, 3.1.1.1) says; `undefined` where it is silent. */
function sizeOf(block: Uint8Array): number | undefined {
	const descriptor = block[SIZE_AT - 1] ?? 0;
	if ((descriptor & SINGLE_SEGMENT) === 0 || block.length < SIZE_AT + 4) return undefined;
	const view = new DataView(block.buffer, block.byteOffset);
	const sizes = [view.getUint8(SIZE_AT), view.getUint16(SIZE_AT, true) + 256, view.getUint32(SIZE_AT, true)];
	const size = sizes[descriptor >> 6];
	return size !== undefined && size <= MOST_BELIEVED ? size : undefined;
}

export function compressJson(value: unknown): Uint8Array {
	return compress(JSON.stringify(value));
}
