import type { ChunkFacts } from "../parse/chunk.ts";

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
