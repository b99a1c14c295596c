import { crc32 } from "node:zlib";
import { DamagedBlock } from "./damagedBlock.ts";

const SEAL_BYTES = 4;

/**
 * A block with a checksum of it and of its key. SQLite keeps none of its pages, and a bit flipped in a list of numbers
 * makes another list.
 */
export function sealed(block: Uint8Array, key: string | number): Uint8Array {
	const stored = new Uint8Array(block.length + SEAL_BYTES);
	stored.set(block);
	new DataView(stored.buffer).setUint32(block.length, checksum(block, key));
	return stored;
}

/** A view of the block. Throws if the bytes or the key are not those that were sealed. */
export function unsealed(stored: Uint8Array, key: string | number): Uint8Array {
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
