import type { TreeCursor } from "web-tree-sitter";

/**
 * A syntax tree as columns of numbers, in source order. Everything after parsing works on these: querying single nodes
 * through tree-sitter's API costs more than the parse itself.
 */
export type FlatTree = TreeColumns & {
	readonly text: string;
	/** The text of the file at the same offsets, where `text` has blanks for syntax that the grammar does not know. */
	readonly written: string | undefined;
	readonly count: number;
	/** The nodes of tokens that the text lacks and the grammar assumed, in order: mostly a closing bracket. */
	readonly missing: readonly number[];
};

export const ERROR_TYPE = 0xffff;

/** A tree with more nodes or levels is rejected. */
export type TreeLimits = { readonly nodes: number; readonly depth: number };

/**
 * Copies the tree under a cursor into the shared columns, so it is valid only until the next parse; `undefined` if it
 * exceeds the limits.
 */
export function flatten(text: string, cursor: TreeCursor, limits: TreeLimits): FlatTree | undefined {
	let columns = makeTreeColumns();
	const missing: number[] = [];
	let count = 0;
	let depth = 0;
	let above = -1;
	for (;;) {
		if (count === columns.type.length) {
			if (count >= limits.nodes) return undefined;
			columns = widenColumns();
		}
		const at = count++;
		columns.type[at] = cursor.nodeTypeId;
		columns.field[at] = cursor.currentFieldId;
		columns.start[at] = cursor.startIndex;
		columns.end[at] = cursor.endIndex;
		columns.parent[at] = above;
		if (cursor.nodeIsMissing) missing.push(at);
		if (cursor.gotoFirstChild()) {
			if (++depth > limits.depth) return undefined;
			above = at;
			continue;
		}
		columns.until[at] = count;
		while (above >= 0 && !cursor.gotoNextSibling()) {
			columns.until[above] = count;
			above = columns.parent[above] ?? -1;
			depth -= 1;
			cursor.gotoParent();
		}
		if (above < 0) return makeFlatTree(text, columns, count, missing);
	}
}

/** All trees are made here, with one order of properties: what reads them is compiled for a single shape. */
export function makeFlatTree(
	text: string,
	{ type, field, start, end, parent, until }: TreeColumns,
	count: number,
	missing: readonly number[],
	written?: string,
): FlatTree {
	return { text, written, count, missing, type, field, start, end, parent, until };
}

/** The columns of a flat tree. */
type TreeColumns = {
	/** Node type id; `ERROR_TYPE` for text that the grammar could not parse. */
	readonly type: Uint16Array;
	/** Field id under the parent, 0 for none. */
	readonly field: Uint16Array;
	/** Offsets into the text. */
	readonly start: Int32Array;
	readonly end: Int32Array;
	readonly parent: Int32Array;
	/** Index of the first node after this one's descendants. */
	readonly until: Int32Array;
};

/** Columns up to this size are reused between files, so that most files allocate nothing; larger ones are freed. */
const KEPT = 1 << 18;
let columns = allocate(1 << 16);

/** The shared columns, to be overwritten; they still contain the previous tree. */
export function makeTreeColumns(): TreeColumns {
	if (columns.type.length > KEPT) columns = allocate(KEPT);
	return columns;
}

/** Doubles the shared columns and keeps their content. */
export function widenColumns(): TreeColumns {
	const old = columns;
	columns = allocate(old.type.length * 2);
	columns.type.set(old.type);
	columns.field.set(old.field);
	columns.start.set(old.start);
	columns.end.set(old.end);
	columns.parent.set(old.parent);
	columns.until.set(old.until);
	return columns;
}

function allocate(size: number): TreeColumns {
	return {
		type: new Uint16Array(size),
		field: new Uint16Array(size),
		start: new Int32Array(size),
		end: new Int32Array(size),
		parent: new Int32Array(size),
		until: new Int32Array(size),
	};
}

/** Thrown when a tree exceeds its limits. */
export class TreeTooLarge extends Error {}

/** Builds a flat tree; nodes are opened and closed in source order. */
export class TreeBuilder {
	readonly #text: string;
	#columns: TreeColumns = makeTreeColumns();
	#count = 0;
	#depth = 0;
	#above = -1;

	constructor(text: string) {
		this.#text = text;
	}

	open(type: number, start: number): number {
		if (this.#count === this.#columns.type.length) this.#columns = widenColumns();
		if (this.#count >= LIMITS.nodes || ++this.#depth > LIMITS.depth) throw new TreeTooLarge();
		const at = this.#count++;
		this.#columns.type[at] = type;
		this.#columns.field[at] = 0;
		this.#columns.start[at] = start;
		this.#columns.parent[at] = this.#above;
		this.#above = at;
		return at;
	}

	/** Closes the node that was opened last. */
	close(end: number): void {
		const at = this.#above;
		this.#columns.end[at] = end;
		this.#columns.until[at] = this.#count;
		this.#above = this.#columns.parent[at] ?? -1;
		this.#depth -= 1;
	}

	leaf(type: number, start: number, end: number): void {
		this.open(type, start);
		this.close(end);
	}

	tree(): FlatTree {
		return makeFlatTree(this.#text, this.#columns, this.#count, []);
	}
}

/** A loaded grammar: its node types and fields by id, and the parser. */
export type Grammar = {
	/** Node type names by id; `named[id]` distinguishes a named node `if` from the keyword token `if`. */
	readonly types: readonly string[];
	readonly named: readonly boolean[];
	readonly fields: readonly (string | null)[];
	/** `undefined` if the text exceeds the limits; the caller then falls back to chunking by lines. */
	readonly parse: (text: string) => FlatTree | undefined;
};

/** A file beyond these limits is generated or hostile, and is chunked by lines. */
export const MAX_TEXT = 1_500_000;
export const LIMITS: TreeLimits = { nodes: 2_000_000, depth: 2_000 };
