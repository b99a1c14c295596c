import { CHUNK_KINDS, type ChunkKind, type InnerSymbol } from "../parse/chunk.ts";

/** A function or method that a chunk declares without being its chunk. */
export type InnerFunction = {
	readonly kind: ChunkKind;
	readonly name: string;
	/** The enclosing names joined with dots; "" at the top of a file. */
	readonly owner: string;
	/** What the owner begins with because of a statement for the whole file; known only while the file is indexed. */
	readonly namespace?: string;
	readonly line: number;
	/** False for a signature: an abstract method, an overload, a prototype. */
	readonly hasBody: boolean;
};

/** The place of its chunk in the file, kind, line, whether it has a body, owner and name. */
export type PackedFunction = readonly [number, number, number, 0 | 1, string, string];

/** More than a chunk of ordinary lines declares; one line of generated code may declare thousands. */
const MOST = 400;

/** The functions among the symbols of a chunk that others may call. */
export function innerFunctions(symbols: readonly InnerSymbol[] | undefined): readonly InnerFunction[] {
	if (!symbols) return NONE;
	const found: InnerFunction[] = [];
	for (const { kind, name, line, callable } of symbols) {
		if (callable && found.length < MOST) found.push({ kind, name, line, ...callable });
	}
	return found;
}

const NONE: readonly InnerFunction[] = [];

/** The functions of a file, from those of each of its chunks. */
export function packFunctions(byChunk: readonly (readonly InnerFunction[])[]): PackedFunction[] {
	return byChunk.flatMap((functions, chunk) =>
		functions.map(({ kind, line, hasBody, owner, name }): PackedFunction => {
			return [chunk, CHUNK_KINDS.indexOf(kind), line, hasBody ? 1 : 0, owner, name];
		}),
	);
}

/** The functions of one chunk of a file. */
export function unpackFunctions(packed: readonly PackedFunction[] | undefined, wanted: number): InnerFunction[] {
	return (packed ?? [])
		.filter(([chunk]) => chunk === wanted)
		.map(([, kind, line, hasBody, owner, name]) => {
			return { kind: CHUNK_KINDS[kind] ?? "function", line, hasBody: hasBody === 1, owner, name };
		});
}
