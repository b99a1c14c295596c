import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { embeddingTokens } from "../tokens/embeddingTokens.ts";
import type { Embedder } from "./embedder.ts";

/**
 * One file: magic, version, length of the JSON header, header, then its parts one after another:
 * `rows × dims` signed bytes, `rows` float32 document weights, `rows` float32 query weights, the vocabulary, a line each.
 * The weights include the scale of the row. The last 32 bytes are the SHA-256 of everything before them.
 */
const MAGIC = "POCV";
const VERSION = 1;
const DIGEST_BYTES = 32;
const MOST_ROWS = 5_000_000;
const MOST_DIMS = 4_096;

export type CompactModel = {
	readonly id: string;
	readonly dims: number;
	readonly vocabulary: readonly string[];
	readonly table: Int8Array;
	readonly documentWeights: Float32Array;
	readonly queryWeights: Float32Array;
};

/** Reads a compact table. Throws, naming what is wrong, for a file that is truncated, foreign or altered. */
export function readCompactModel(path: string): Embedder {
	const bytes = readFileSync(path);
	if (bytes.length < 12 + DIGEST_BYTES || bytes.toString("latin1", 0, 4) !== MAGIC) {
		throw new Error(`${path}: not an embedding table of this program`);
	}
	if (bytes.readUInt32LE(4) !== VERSION)
		throw new Error(`${path}: version ${bytes.readUInt32LE(4)}, expected ${VERSION}`);
	const body = bytes.subarray(0, bytes.length - DIGEST_BYTES);
	const digest = createHash("sha256").update(body).digest();
	if (!digest.equals(bytes.subarray(bytes.length - DIGEST_BYTES)))
		throw new Error(`${path}: truncated or altered: the checksum differs`);
	const headerEnd = 12 + bytes.readUInt32LE(8);
	const header: unknown = JSON.parse(body.toString("utf8", 12, headerEnd));
	const { id, dims, rows } = checkHeader(header, path);
	const tableEnd = headerEnd + rows * dims;
	const weightsEnd = tableEnd + rows * 8;
	if (weightsEnd > body.length) throw new Error(`${path}: holds less than ${rows} rows of ${dims}`);
	const vocabulary = body.toString("utf8", weightsEnd).split("\n");
	if (vocabulary.length !== rows) throw new Error(`${path}: ${vocabulary.length} words for ${rows} rows`);
	return embedderOf({
		id,
		dims,
		vocabulary,
		table: new Int8Array(body.subarray(headerEnd, tableEnd)),
		documentWeights: floats(body, tableEnd, rows),
		queryWeights: floats(body, tableEnd + rows * 4, rows),
	});
}

export function writeCompactModel(path: string, model: CompactModel): void {
	const header = Buffer.from(JSON.stringify({ id: model.id, dims: model.dims, rows: model.vocabulary.length }));
	const head = Buffer.alloc(12);
	head.write(MAGIC, 0, "latin1");
	head.writeUInt32LE(VERSION, 4);
	head.writeUInt32LE(header.length, 8);
	const part = (array: Int8Array | Float32Array): Buffer =>
		Buffer.from(array.buffer, array.byteOffset, array.byteLength);
	const body = Buffer.concat([
		head,
		header,
		part(model.table),
		part(model.documentWeights),
		part(model.queryWeights),
		Buffer.from(model.vocabulary.join("\n")),
	]);
	writeFileSync(path, Buffer.concat([body, createHash("sha256").update(body).digest()]));
}

export function embedderOf(model: CompactModel): Embedder {
	const rows = new Map(model.vocabulary.map((token, row) => [token, row]));
	return {
		id: model.id,
		dims: model.dims,
		table: model.table,
		row: (token) => rows.get(token) ?? -1,
		tokens: embeddingTokens,
		documentWeight: (row) => model.documentWeights[row] ?? 0,
		queryWeight: (row) => model.queryWeights[row] ?? 0,
	};
}

function checkHeader(header: unknown, path: string): { id: string; dims: number; rows: number } {
	if (
		typeof header !== "object" ||
		header === null ||
		!("id" in header) ||
		!("dims" in header) ||
		!("rows" in header)
	) {
		throw new Error(`${path}: the header names no id, dims and rows`);
	}
	const { id, dims, rows } = header;
	if (typeof id !== "string" || id === "") throw new Error(`${path}: the header's id is not a name`);
	if (!isCount(dims, MOST_DIMS)) throw new Error(`${path}: dims is ${String(dims)}, expected 1 to ${MOST_DIMS}`);
	if (!isCount(rows, MOST_ROWS)) throw new Error(`${path}: rows is ${String(rows)}, expected 1 to ${MOST_ROWS}`);
	return { id, dims, rows };
}

function isCount(value: unknown, most: number): value is number {
	return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

/** A copy, because the file's bytes need not lie on a float's boundary. */
function floats(bytes: Buffer, from: number, count: number): Float32Array {
	const copy = new Uint8Array(bytes.subarray(from, from + count * 4));
	return new Float32Array(copy.buffer, 0, count);
}
