import { CHUNK_KINDS, type ChunkKind, type InnerSymbol } from "../parse/chunk.ts";

/** A constant, variable, field or key that has no chunk of its own. */
export type InnerName = { readonly kind: ChunkKind; readonly name: string; readonly line: number };

/** The place of its chunk in the file, kind, line and name. */
export type PackedName = readonly [number, number, number, string];

/** One line of generated code may declare thousands. */
const MOST = 400;

/** A function is kept with the others that may be called, or is local to another. */
const FUNCTIONS: ReadonlySet<ChunkKind> = new Set(["function", "method", "constructor"]);

/** The names that a chunk declares besides functions. */
export function innerNames(symbols: readonly InnerSymbol[] | undefined): readonly InnerName[] {
	if (!symbols) return NONE;
	return symbols.filter(({ kind }) => !FUNCTIONS.has(kind)).slice(0, MOST);
}

const NONE: readonly InnerName[] = [];

/** The names of a file, from those of each of its chunks. */
export function packNames(byChunk: readonly (readonly InnerName[])[]): PackedName[] {
	return byChunk.flatMap((names, chunk) =>
		names.map(({ kind, name, line }): PackedName => [chunk, CHUNK_KINDS.indexOf(kind), line, name]),
	);
}

/** The names of a file by the place of their chunk. Sorted once, since a file of data may have very many of both. */
export function namesByChunk(packed: readonly PackedName[] = []): ReadonlyMap<number, readonly InnerName[]> {
	const byChunk = new Map<number, InnerName[]>();
	for (const [chunk, kind, line, name] of packed) {
		const names = byChunk.get(chunk) ?? [];
		names.push({ kind: CHUNK_KINDS[kind] ?? "variable", line, name });
		byChunk.set(chunk, names);
	}
	return byChunk;
}
