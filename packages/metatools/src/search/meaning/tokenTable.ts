import { createHash } from "node:crypto";

/*
 * The model as one file, little-endian:
 *   "HFTT", u16 version, u16 dims, u32 rows, u32 bytes of words, u32 bytes of meta,
 *   meta (JSON: name, and the weight of a tool's name, description and parameters), f32 tool weight per row,
 *   f32 task weight per row, words (UTF-8, one stem a line, in row order), int8 table, sha256 of everything before.
 * A weight already includes its row's quantisation scale.
 */
const MAGIC = "HFTT";
const VERSION = 1;
const HEADER_BYTES = 20;
const DIGEST_BYTES = 32;
const LARGEST = { dims: 1_024, rows: 1_000_000 } as const;

/** A vector for each stem, learnt so that a task and the tool that does it are near one another. */
export type TokenTable = {
	readonly dims: number;
	/** What a tool's name, description and parameters count. */
	readonly fieldWeights: readonly [name: number, description: number, parameters: number];
	/** The row of a stem; -1 for an unknown one. */
	row(stem: string): number;
	toolWeight(row: number): number;
	taskWeight(row: number): number;
	readonly table: Int8Array;
};

export class BadTokenTable extends Error {
	override readonly name = "BadTokenTable";
}

/** Parses a model; throws `BadTokenTable` with the reason if it is invalid. */
export function readTokenTable(bytes: Buffer): TokenTable {
	const { dims, rows, wordBytes, metaBytes } = readHeader(bytes);
	const body = bytes.subarray(0, -DIGEST_BYTES);
	if (!createHash("sha256").update(body).digest().equals(bytes.subarray(-DIGEST_BYTES)))
		throw new BadTokenTable("checksum does not match: the file was cut short or changed");
	let at = HEADER_BYTES;
	const take = (length: number): Buffer => {
		at += length;
		return bytes.subarray(at - length, at);
	};
	const fieldWeights = readFieldWeights(take(metaBytes));
	const toolWeights = toFloats(take(rows * 4));
	const taskWeights = toFloats(take(rows * 4));
	const words = take(wordBytes).toString("utf8").split("\n");
	if (words.length !== rows) throw new BadTokenTable(`expected ${rows} words, found ${words.length}`);
	const table = take(rows * dims);
	const rowOf = new Map(words.map((word, row) => [word, row]));
	return {
		dims,
		fieldWeights,
		row: (stem) => rowOf.get(stem) ?? -1,
		toolWeight: (row) => toolWeights[row] ?? 0,
		taskWeight: (row) => taskWeights[row] ?? 0,
		table: new Int8Array(table.buffer, table.byteOffset, table.length),
	};
}

function readHeader(bytes: Buffer): { dims: number; rows: number; wordBytes: number; metaBytes: number } {
	if (bytes.length < HEADER_BYTES + DIGEST_BYTES || bytes.toString("latin1", 0, 4) !== MAGIC)
		throw new BadTokenTable(`not a token table: it does not begin with ${MAGIC}`);
	const version = bytes.readUInt16LE(4);
	if (version !== VERSION) throw new BadTokenTable(`version ${version}; this build reads version ${VERSION}`);
	const [dims, rows] = [bytes.readUInt16LE(6), bytes.readUInt32LE(8)];
	const [wordBytes, metaBytes] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
	if (dims < 4 || dims > LARGEST.dims || dims % 4 !== 0)
		throw new BadTokenTable(`${dims} dimensions; expected a multiple of 4, at most ${LARGEST.dims}`);
	if (rows < 1 || rows > LARGEST.rows) throw new BadTokenTable(`${rows} rows; expected 1 to ${LARGEST.rows}`);
	const expected = HEADER_BYTES + metaBytes + rows * 8 + wordBytes + rows * dims + DIGEST_BYTES;
	if (expected !== bytes.length) throw new BadTokenTable(`${bytes.length} bytes; its header says ${expected}`);
	return { dims, rows, wordBytes, metaBytes };
}

function readFieldWeights(meta: Buffer): TokenTable["fieldWeights"] {
	try {
		const { fields }: { fields?: unknown } = JSON.parse(meta.toString("utf8"));
		if (Array.isArray(fields) && fields.length === 3 && fields.every((weight) => Number.isFinite(weight)))
			return [fields[0], fields[1], fields[2]];
	} catch {
		// Reported below, like weights that are missing.
	}
	throw new BadTokenTable("its meta has no three weights of fields");
}

// Copied, because the slice may not be aligned to four bytes.
function toFloats(bytes: Buffer): Float32Array {
	return new Float32Array(Uint8Array.prototype.slice.call(bytes).buffer);
}
