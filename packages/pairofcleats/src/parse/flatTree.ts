/**
 * A syntax tree as columns of numbers, in the order a reader meets the nodes. Everything after parsing works on these:
 * asking the grammar's own memory about single nodes costs more than the parse itself.
 */
export type FlatTree = {
	readonly text: string;
	readonly count: number;
	/** Node type id; `ERROR_TYPE` for a stretch the grammar could not read. */
	readonly type: Uint16Array;
	/** Field id under the parent, 0 for none. */
	readonly field: Uint16Array;
	/** Offsets into `text`. */
	readonly start: Int32Array;
	readonly end: Int32Array;
	readonly parent: Int32Array;
	/** Index of the first node after this one's descendants. */
	readonly until: Int32Array;
};

export const ERROR_TYPE = 0xffff;

/** Calls of the tree-sitter runtime that move one cursor kept in its transfer buffer. */
export type CursorCalls = {
	readonly firstChild: (tree: number) => number;
	readonly nextSibling: (tree: number) => number;
	readonly toParent: (tree: number) => number;
	readonly typeId: (tree: number) => number;
	readonly fieldId: (tree: number) => number;
	readonly startIndex: (tree: number) => number;
	readonly endIndex: (tree: number) => number;
	readonly release: (tree: number) => unknown;
};

/** Columns are kept between files: most files then allocate nothing. */
let columns = allocate(1 << 16);

/**
 * Copies the tree under the cursor. The result is valid until the next call. `undefined` when it has more than `maxNodes`
 * nodes or is deeper than `maxDepth`.
 */
export function flatten(
	text: string,
	tree: number,
	cursor: CursorCalls,
	maxNodes: number,
	maxDepth: number,
): FlatTree | undefined {
	let count = 0;
	let depth = 0;
	let above = -1;
	for (;;) {
		if (count === columns.type.length) {
			if (count >= maxNodes) return undefined;
			columns = grow(columns);
		}
		const at = count++;
		columns.type[at] = cursor.typeId(tree);
		columns.field[at] = cursor.fieldId(tree);
		columns.start[at] = cursor.startIndex(tree);
		columns.end[at] = cursor.endIndex(tree);
		columns.parent[at] = above;
		if (cursor.firstChild(tree)) {
			if (++depth > maxDepth) return undefined;
			above = at;
			continue;
		}
		columns.until[at] = count;
		while (above >= 0 && !cursor.nextSibling(tree)) {
			columns.until[above] = count;
			above = columns.parent[above] ?? -1;
			depth -= 1;
			cursor.toParent(tree);
		}
		if (above < 0) return { text, count, ...columns };
	}
}

type Columns = Omit<FlatTree, "text" | "count">;

function allocate(size: number): Columns {
	return {
		type: new Uint16Array(size),
		field: new Uint16Array(size),
		start: new Int32Array(size),
		end: new Int32Array(size),
		parent: new Int32Array(size),
		until: new Int32Array(size),
	};
}

function grow(old: Columns): Columns {
	const wider = allocate(old.type.length * 2);
	wider.type.set(old.type);
	wider.field.set(old.field);
	wider.start.set(old.start);
	wider.end.set(old.end);
	wider.parent.set(old.parent);
	wider.until.set(old.until);
	return wider;
}
