import type { TreeCursor } from "web-tree-sitter";
import { type TreeColumns, treeColumns, widerColumns } from "./treeColumns.ts";

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
	let columns = treeColumns();
	const missing: number[] = [];
	let count = 0;
	let depth = 0;
	let above = -1;
	for (;;) {
		if (count === columns.type.length) {
			if (count >= limits.nodes) return undefined;
			columns = widerColumns();
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
		if (above < 0) return flatTree(text, columns, count, missing);
	}
}

/** All trees are made here, with one order of properties: what reads them is compiled for a single shape. */
export function flatTree(
	text: string,
	{ type, field, start, end, parent, until }: TreeColumns,
	count: number,
	missing: readonly number[],
	written?: string,
): FlatTree {
	return { text, written, count, missing, type, field, start, end, parent, until };
}
