import { isAscii } from "node:buffer";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { passGates } from "./decompressionGate.ts";

/** More than any block that is ever written, so that a damaged length does not exhaust memory. */
const MOST_BYTES = 512 * 1024 * 1024;

/** What a damaged block decompresses to would otherwise pass for another text. */
const WITH_CHECKSUM = { [constants.ZSTD_c_checksumFlag]: 1 } as const;

export function compress(data: Uint8Array | string): Uint8Array {
	const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
	// By default, zlib allocates 64 kB even for a small file.
	const chunkSize = Math.min(Math.max(bytes.length, LEAST_CHUNK), MOST_CHUNK);
	// Copied, because zlib returns a view of a larger buffer.
	return new Uint8Array(zstdCompressSync(bytes, { chunkSize, params: WITH_CHECKSUM }));
}

export function decompress(block: Uint8Array): Buffer {
	// With a known size, the output fits one buffer; otherwise zlib concatenates chunks that become garbage.
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

/** Decodes UTF-8. Most texts are ASCII, which decodes as Latin-1 in a third of the time. */
export function decoded(utf8: Buffer): string {
	return utf8.toString(isAscii(utf8) ? "latin1" : "utf8");
}

/** The smallest chunk size that zlib accepts, the largest used here, and the largest size trusted from a header. */
const LEAST_CHUNK = 64;
const MOST_CHUNK = 64 * 1024;
const MOST_BELIEVED = 16 * 1024 * 1024;
/** The magic number and a byte that describes the size field come before the size. */
const SIZE_AT = 5;
const SINGLE_SEGMENT = 0x20;

/** The content's length from the frame's header (RFC 8878, 3.1.1.1); `undefined` if the header has none. */
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
