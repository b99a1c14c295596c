import { CHUNK_KINDS, type ChunkFacts, type ChunkKind, type InnerSymbol } from "../parse/chunk.ts";

/** The order in which facts are stored, and each one's empty value. */
const EMPTY = {
	signature: "",
	params: [],
	decorators: [],
	returnType: "",
	inferredTypes: [],
	visibility: undefined,
	exported: false,
	async: false,
	generator: false,
	returns: false,
	extends: [],
	implements: [],
	imports: [],
	calls: [],
	uses: [],
	throws: [],
	awaits: [],
	reads: [],
	writes: [],
	mutates: [],
	aliases: [],
	branches: 0,
	loops: 0,
	breaks: 0,
	continues: 0,
	docstring: "",
	risk: undefined,
} as const satisfies { readonly [Field in keyof Required<ChunkFacts>]: ChunkFacts[Field] };

const ENTRIES = Object.entries(EMPTY);
const FIELDS = Object.keys(EMPTY) as (keyof ChunkFacts)[];

/**
 * Facts as an array without names: most are empty, and the names would make up half of a file's details. An absent fact
 * is `null`, as in JSON.
 */
export type PackedFacts = readonly (ChunkFacts[keyof ChunkFacts] | typeof NOTHING | null)[];

/** Stands for an empty value, a count of 0, or the signature, which a segment stores with the names. */
const NOTHING = 0;

export function packFacts(facts: ChunkFacts): PackedFacts {
	return FIELDS.map((field) => {
		const fact = facts[field];
		if (field === "signature" && fact !== undefined) return NOTHING;
		return fact === false || fact === "" || (Array.isArray(fact) && fact.length === 0) ? NOTHING : fact;
	});
}

export function unpackFacts(packed: PackedFacts, signature: string): ChunkFacts {
	return Object.fromEntries(
		ENTRIES.flatMap(([field, empty], place) => {
			const fact = packed[place];
			return fact === undefined || fact === null
				? []
				: [[field, fact !== NOTHING ? fact : field === "signature" ? signature : empty]];
		}),
	);
}

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
const MOST_FUNCTIONS = 400;

/** The functions among the symbols of a chunk that others may call. */
export function listInnerFunctions(symbols: readonly InnerSymbol[] | undefined): readonly InnerFunction[] {
	if (!symbols) return NO_FUNCTIONS;
	const found: InnerFunction[] = [];
	for (const { kind, name, line, callable } of symbols) {
		if (callable && found.length < MOST_FUNCTIONS) found.push({ kind, name, line, ...callable });
	}
	return found;
}

const NO_FUNCTIONS: readonly InnerFunction[] = [];

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

/** A constant, variable, field or key that has no chunk of its own. */
export type InnerName = { readonly kind: ChunkKind; readonly name: string; readonly line: number };

/** The place of its chunk in the file, kind, line and name. */
export type PackedName = readonly [number, number, number, string];

/** One line of generated code may declare thousands. */
const MOST_NAMES = 400;

/** A function is kept with the others that may be called, or is local to another. */
const FUNCTIONS: ReadonlySet<ChunkKind> = new Set(["function", "method", "constructor"]);

/** The names that a chunk declares besides functions. */
export function listInnerNames(symbols: readonly InnerSymbol[] | undefined): readonly InnerName[] {
	if (!symbols) return NO_NAMES;
	return symbols.filter(({ kind }) => !FUNCTIONS.has(kind)).slice(0, MOST_NAMES);
}

const NO_NAMES: readonly InnerName[] = [];

/** The names of a file, from those of each of its chunks. */
export function packNames(byChunk: readonly (readonly InnerName[])[]): PackedName[] {
	return byChunk.flatMap((names, chunk) =>
		names.map(({ kind, name, line }): PackedName => [chunk, CHUNK_KINDS.indexOf(kind), line, name]),
	);
}

/** The names of a file by the place of their chunk. Sorted once, since a file of data may have very many of both. */
export function groupNamesByChunk(packed: readonly PackedName[] = []): ReadonlyMap<number, readonly InnerName[]> {
	const byChunk = new Map<number, InnerName[]>();
	for (const [chunk, kind, line, name] of packed) {
		const names = byChunk.get(chunk) ?? [];
		names.push({ kind: CHUNK_KINDS[kind] ?? "variable", line, name });
		byChunk.set(chunk, names);
	}
	return byChunk;
}
