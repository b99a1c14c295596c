import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { listEmbeddingTokens, splitIntoWords } from "../tokens/words.ts";
import type { Embedder } from "./embedder.ts";

/** Reads a model: a file is our own token table, a folder is in the layout of model2vec. */
export function readModel(path: string, known?: string): Embedder {
	return statSync(path).isDirectory() ? readModel2Vec(path) : readTokenTable(readFileSync(path), known);
}

type Tensor = { readonly dtype: string; readonly shape: readonly number[]; readonly data: Uint8Array };

/** Reads a static model in the layout of model2vec: `model.safetensors` and `tokenizer.json` in one folder. */
export function readModel2Vec(folder: string): Embedder {
	const bytes = readFileSync(join(folder, "model.safetensors"));
	const tensors = readSafetensors(bytes, folder);
	const embeddings = tensors.get("embeddings") ?? tensors.values().next().value;
	const [rows, dims] = embeddings?.shape ?? [];
	if (!embeddings || rows === undefined || dims === undefined || embeddings.shape.length !== 2) {
		throw new Error(`${folder}: model.safetensors holds no table of two dimensions`);
	}
	const table = toFloats(embeddings, folder);
	if (table.length !== rows * dims)
		throw new Error(`${folder}: the table holds ${table.length} numbers, not ${rows} × ${dims}`);
	const vocabulary = readVocabulary(JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")), folder);
	const id = `${basename(folder)}-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}`;
	return {
		id,
		dims,
		table,
		row: (token) => {
			const row = vocabulary.get(token);
			return row !== undefined && row < rows ? row : -1;
		},
		tokens: (text) => splitIntoWords(text.toLowerCase()).flatMap((word) => wordPieces(word, vocabulary)),
		documentWeight: () => 1,
		queryWeight: () => 1,
	};
}

function readSafetensors(bytes: Buffer, folder: string): Map<string, Tensor> {
	const length = bytes.length >= 8 ? Number(bytes.readBigUInt64LE(0)) : Number.NaN;
	if (!(length > 1 && 8 + length <= bytes.length)) throw new Error(`${folder}: model.safetensors is truncated`);
	const header: unknown = JSON.parse(bytes.toString("utf8", 8, 8 + length));
	const tensors = new Map<string, Tensor>();
	for (const [name, entry] of Object.entries(header ?? {})) {
		if (name === "__metadata__" || typeof entry !== "object" || entry === null) continue;
		const {
			dtype,
			shape,
			data_offsets: offsets,
		} = entry as { dtype: string; shape: number[]; data_offsets: [number, number] };
		const [from, to] = offsets;
		if (from < 0 || to < from || 8 + length + to > bytes.length)
			throw new Error(`${folder}: tensor ${name} lies outside the file`);
		tensors.set(name, { dtype, shape, data: new Uint8Array(bytes.subarray(8 + length + from, 8 + length + to)) });
	}
	return tensors;
}

function toFloats({ dtype, data }: Tensor, folder: string): Float32Array {
	switch (dtype) {
		case "F32":
			return new Float32Array(data.buffer, data.byteOffset, data.byteLength >> 2);
		case "F16":
			return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength >> 1), halfToFloat);
		case "I8":
			return Float32Array.from(new Int8Array(data.buffer, data.byteOffset, data.byteLength));
		default:
			throw new Error(`${folder}: numbers of type ${dtype} are not read; expected F32, F16 or I8`);
	}
}

function halfToFloat(half: number): number {
	const exponent = (half >> 10) & 0x1f;
	const fraction = half & 0x3ff;
	const sign = half & 0x8000 ? -1 : 1;
	if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
	return exponent === 31 ? 0 : sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

function readVocabulary(tokenizer: unknown, folder: string): Map<string, number> {
	const model =
		typeof tokenizer === "object" && tokenizer !== null && "model" in tokenizer ? tokenizer.model : undefined;
	const vocabulary = typeof model === "object" && model !== null && "vocab" in model ? model.vocab : undefined;
	if (typeof vocabulary !== "object" || vocabulary === null)
		throw new Error(`${folder}: tokenizer.json has no model.vocab`);
	if (Array.isArray(vocabulary))
		return new Map(vocabulary.map((entry, row) => [String(Array.isArray(entry) ? entry[0] : entry), row]));
	return new Map(Object.entries(vocabulary).map(([token, row]) => [token, Number(row)]));
}

/** Splits a word by longest match first, as WordPiece does; a word with an unknown piece is dropped. */
function wordPieces(word: string, vocabulary: ReadonlyMap<string, number>): string[] {
	const pieces: string[] = [];
	for (let from = 0; from < word.length; ) {
		let to = word.length;
		const piece = (): string => (from === 0 ? "" : "##") + word.slice(from, to);
		while (to > from && !vocabulary.has(piece())) to -= 1;
		if (to === from) return [];
		pieces.push(piece());
		from = to;
	}
	return pieces;
}

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
	const documentWeights = readFloats(take(rows * 4));
	const queryWeights = readFloats(take(rows * 4));
	const words = take(wordBytes).toString("utf8").split("\n");
	if (words.length !== rows) throw new BadTokenTable(`expected ${rows} words, found ${words.length}`);
	const table = take(rows * dims);
	const rowOf = new Map(words.map((word, row) => [word, row]));
	return {
		id: `${name}-${mark}`,
		dims,
		row: (token) => rowOf.get(token) ?? -1,
		tokens: listEmbeddingTokens,
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
function readFloats(bytes: Buffer): Float32Array {
	return new Float32Array(Uint8Array.prototype.slice.call(bytes).buffer);
}
