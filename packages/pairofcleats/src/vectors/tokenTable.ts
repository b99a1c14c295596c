import { createHash } from "node:crypto";
import { embeddingTokens } from "../tokens/embeddingTokens.ts";
import type { Embedder } from "./embedder.ts";

/*
 * A token table as one file, little-endian:
 *   "HFTT", u16 version, u16 dims, u32 rows, u32 bytes of words, u32 bytes of meta,
 *   meta (JSON), f32 document weight per row, f32 query weight per row,
 *   words (UTF-8, one a line, in row order), int8 table, sha256 of everything before.
 * A weight already includes its row's quantisation scale.
 */
const MAGIC = "HFTT";
const VERSION = 1;
const HEADER_BYTES = 20;
const DIGEST_BYTES = 32;
const LARGEST = { dims: 1024, rows: 1_000_000, bytes: 256 * 1024 * 1024 } as const;

export class BadTokenTable extends Error {
	override readonly name = "BadTokenTable";
}

/**
 * Parses a token table; throws `BadTokenTable` with the reason if it is invalid. `known` is the id of the table that an
 * index was built with: it was verified then, and verifying the checksum again would take a tenth of a cold search.
 */
export function readTokenTable(bytes: Buffer, known = ""): Embedder {
	const { dims, rows, wordBytes, metaBytes } = readHeader(bytes);
	const digest = bytes.subarray(-DIGEST_BYTES);
	const mark = digest.toString("hex").slice(0, 12);
	if (!known.endsWith(`-${mark}`) && !sumOf(bytes.subarray(0, -DIGEST_BYTES)).equals(digest))
		throw new BadTokenTable("checksum does not match: the file was cut short or changed");
	let at = HEADER_BYTES;
	const take = (length: number): Buffer => {
		at += length;
		return bytes.subarray(at - length, at);
	};
	const name = readName(take(metaBytes));
	const documentWeights = toFloats(take(rows * 4));
	const queryWeights = toFloats(take(rows * 4));
	const words = take(wordBytes).toString("utf8").split("\n");
	if (words.length !== rows) throw new BadTokenTable(`expected ${rows} words, found ${words.length}`);
	const table = take(rows * dims);
	const rowOf = new Map(words.map((word, row) => [word, row]));
	return {
		id: `${name}-${mark}`,
		dims,
		row: (token) => rowOf.get(token) ?? -1,
		tokens: embeddingTokens,
		documentWeight: (row) => documentWeights[row] ?? 0,
		queryWeight: (row) => queryWeights[row] ?? 0,
		table: new Int8Array(table.buffer, table.byteOffset, table.length),
	};
}

function sumOf(bytes: Buffer): Buffer {
	return createHash("sha256").update(bytes).digest();
}

function readHeader(bytes: Buffer): { dims: number; rows: number; wordBytes: number; metaBytes: number } {
	if (bytes.length < HEADER_BYTES + DIGEST_BYTES || bytes.toString("latin1", 0, 4) !== MAGIC) {
		throw new BadTokenTable(`not a token table: it does not begin with ${MAGIC}`);
	}
	const version = bytes.readUInt16LE(4);
	if (version !== VERSION) throw new BadTokenTable(`version ${version}; this build reads version ${VERSION}`);
	const [dims, rows] = [bytes.readUInt16LE(6), bytes.readUInt32LE(8)];
	const [wordBytes, metaBytes] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
	if (dims < 1 || dims > LARGEST.dims) throw new BadTokenTable(`${dims} dimensions; expected 1 to ${LARGEST.dims}`);
	if (rows < 1 || rows > LARGEST.rows) throw new BadTokenTable(`${rows} rows; expected 1 to ${LARGEST.rows}`);
	const expected = HEADER_BYTES + metaBytes + rows * 8 + wordBytes + rows * dims + DIGEST_BYTES;
	if (expected !== bytes.length || expected > LARGEST.bytes) {
		throw new BadTokenTable(`${bytes.length} bytes; its header says ${expected}`);
	}
	return { dims, rows, wordBytes, metaBytes };
}

function readName(meta: Buffer): string {
	try {
		const { name } = JSON.parse(meta.toString("utf8"));
		if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) return name;
	} catch {
		// Reported below, like an invalid name.
	}
	throw new BadTokenTable("its meta has no name of letters, digits, dots and dashes");
}

// Copied, because the slice may not be aligned to four bytes.
function toFloats(bytes: Buffer): Float32Array {
	return new Float32Array(Uint8Array.prototype.slice.call(bytes).buffer);
}
