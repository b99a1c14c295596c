import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { wordsOf } from "../tokens/terms.ts";
import type { Embedder } from "./embedder.ts";

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
		tokens: (text) => wordsOf(text.toLowerCase()).flatMap((word) => wordPieces(word, vocabulary)),
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
