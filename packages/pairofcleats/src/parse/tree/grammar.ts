import type { FlatTree } from "./flatTree.ts";

/** A loaded grammar: its node types and fields by id, and the parser. */
export type Grammar = {
	/** Node type names by id; `named[id]` distinguishes a named node `if` from the keyword token `if`. */
	readonly types: readonly string[];
	readonly named: readonly boolean[];
	readonly fields: readonly (string | null)[];
	/** `undefined` if the text exceeds the limits; the caller then falls back to chunking by lines. */
	readonly parse: (text: string) => FlatTree | undefined;
};
