import { isAscii } from "node:buffer";
import { setTimeout as wait } from "node:timers/promises";
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DamagedBlock } from "./bytes.ts";

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
	return passAllGates(() => zstdDecompressSync(block, options));
}

export function decompressText(block: Uint8Array): string {
	return decodeText(decompress(block));
}

/** Decodes UTF-8. Most texts are ASCII, which decodes as Latin-1 in a third of the time. */
export function decodeText(utf8: Buffer): string {
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

const SEAL_BYTES = 4;

/**
 * A block with a checksum of it and of its key. SQLite keeps none of its pages, and a bit flipped in a list of numbers
 * makes another list.
 */
export function sealBlock(block: Uint8Array, key: string | number): Uint8Array {
	const stored = new Uint8Array(block.length + SEAL_BYTES);
	stored.set(block);
	new DataView(stored.buffer).setUint32(block.length, checksum(block, key));
	return stored;
}

/** A view of the block. Throws if the bytes or the key are not those that were sealed. */
export function unsealBlock(stored: Uint8Array, key: string | number): Uint8Array {
	const length = stored.length - SEAL_BYTES;
	if (length < 0) throw new DamagedBlock("a block of the index is cut short");
	const block = stored.subarray(0, length);
	if (new DataView(stored.buffer, stored.byteOffset).getUint32(length) !== checksum(block, key))
		throw new DamagedBlock("a block of the index does not match its checksum");
	return block;
}

function checksum(block: Uint8Array, key: string | number): number {
	return crc32(block, typeof key === "string" ? crc32(key) : key);
}

/*
 * Terminating a thread while it creates a decompressor aborts the whole process, because Node asserts that every
 * decompressor created is also initialised. So threads decompress inside a gate, and are terminated only after it is shut
 * and empty. A thread started by a thread has two gates, since either thread may be terminated.
 */
const SHUT = 0;
const INSIDE = 1;
/** Limits the wait, because a thread that died inside never leaves. */
const LONGEST_INSIDE_MS = 1_000;

/** The gate as seen by the terminating thread. */
export class DecompressionGate {
	readonly #states = new Int32Array(new SharedArrayBuffer(8));

	/** The gates to pass to the new thread, innermost first. */
	get gates(): readonly Int32Array[] {
		return [this.#states, ...gates];
	}

	/** Waits until no thread is inside; threads that try to enter later block forever. */
	async shut(): Promise<void> {
		Atomics.store(this.#states, SHUT, 1);
		const untilMs = performance.now() + LONGEST_INSIDE_MS;
		while (Atomics.load(this.#states, INSIDE) > 0 && performance.now() < untilMs) await wait(1);
	}
}

let gates: readonly Int32Array[] = [];

/** Makes this thread enter the gates whenever it decompresses. */
export function useGate(all: readonly Int32Array[]): void {
	gates = all;
}

function passAllGates<Value>(decompress: () => Value): Value {
	for (const gate of gates) enter(gate);
	try {
		return decompress();
	} finally {
		for (const gate of gates) Atomics.sub(gate, INSIDE, 1);
	}
}

/** Each side first announces itself and then checks the other (Dekker), so at least one sees the other. */
function enter(gate: Int32Array): void {
	Atomics.add(gate, INSIDE, 1);
	if (Atomics.load(gate, SHUT) === 0) return;
	Atomics.sub(gate, INSIDE, 1);
	Atomics.wait(gate, SHUT, 1);
}
