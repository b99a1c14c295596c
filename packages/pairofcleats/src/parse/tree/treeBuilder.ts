import { type FlatTree, flatTree } from "./flatTree.ts";
import { type TreeColumns, treeColumns, widerColumns } from "./treeColumns.ts";
import { LIMITS } from "./treeLimits.ts";

/** Thrown when a tree exceeds its limits. */
export class TreeTooLarge extends Error {}

/** Builds a flat tree; nodes are opened and closed in source order. */
export class TreeBuilder {
	readonly #text: string;
	#columns: TreeColumns = treeColumns();
	#count = 0;
	#depth = 0;
	#above = -1;

	constructor(text: string) {
		this.#text = text;
	}

	open(type: number, start: number): number {
		if (this.#count === this.#columns.type.length) this.#columns = widerColumns();
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
		return flatTree(this.#text, this.#columns, this.#count, []);
	}
}
