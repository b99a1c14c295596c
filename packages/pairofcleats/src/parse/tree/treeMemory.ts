import { ERROR_TYPE, type FlatTree, makeFlatTree, makeTreeColumns, type TreeLimits, widenColumns } from "./flatTree.ts";

/** Views of the tree-sitter runtime's memory as 8-, 16- and 32-bit numbers. */
export type TreeMemory = { readonly bytes: Uint8Array; readonly halves: Uint16Array; readonly words: Uint32Array };

/** A grammar's alias and field for each child position of each production; `width` positions per production. */
export type GrammarTables = {
	readonly width: number;
	readonly aliases: Uint16Array;
	readonly fields: Uint16Array;
	/** Internal node type id → public node type id. */
	readonly types: Uint16Array;
};

/** Byte offsets of the fields read here in the structs of tree-sitter 0.25. */
const TREE = { root: 0, language: 8 } as const;
const LANGUAGE = {
	symbols: 4,
	aliases: 8,
	productions: 28,
	fields: 32,
	longestProduction: 36,
	fieldSlices: 64,
	fieldEntries: 68,
	publicTypes: 76,
	aliasSequences: 84,
} as const;
const NODE = {
	padding: 4,
	size: 16,
	children: 36,
	type: 40,
	flags: 44,
	moreFlags: 45,
	visibleChildren: 48,
	production: 66,
} as const;
/** A child record is either a pointer to a node or an inline leaf; the lowest bit tells which. */
const CHILD_BYTES = 8;
const INLINE = 1;
/** Bits of a node's flags: visible in the public tree; extra, meaning allowed anywhere, like comments. */
const VISIBLE = 1;
const EXTRA = 4;
/** Missing, meaning assumed by the parser: a bit of an inline leaf's flags, or of a node's second byte of them. */
const INLINE_MISSING = 16;
const NODE_MISSING = 2;

export function readGrammarTables({ bytes, halves, words }: TreeMemory, tree: number): GrammarTables {
	const language = words[(tree + TREE.language) >> 2] ?? 0;
	const word = (offset: number): number => words[(language + offset) >> 2] ?? 0;
	const width = halves[(language + LANGUAGE.longestProduction) >> 1] ?? 0;
	const productions = word(LANGUAGE.productions);
	const aliases = new Uint16Array(productions * width);
	const fields = new Uint16Array(productions * width);
	for (let production = 0; production < productions; production += 1) {
		const row = production * width;
		// Production 0 is shared by all productions without aliases.
		for (let place = 0; production > 0 && place < width; place += 1)
			aliases[row + place] = halves[(word(LANGUAGE.aliasSequences) >> 1) + row + place] ?? 0;
		if (word(LANGUAGE.fields) === 0) continue;
		const slice = (word(LANGUAGE.fieldSlices) >> 1) + production * 2;
		const first = halves[slice] ?? 0;
		// The first entry for a position wins, so entries are written last to first.
		for (let entry = first + (halves[slice + 1] ?? 0) - 1; entry >= first; entry -= 1) {
			const at = word(LANGUAGE.fieldEntries) + entry * 4;
			const place = bytes[at + 2] ?? 0;
			const inherited = bytes[at + 3] !== 0;
			if (!inherited && place < width) fields[row + place] = halves[at >> 1] ?? 0;
		}
	}
	const count = word(LANGUAGE.symbols) + word(LANGUAGE.aliases);
	const from = word(LANGUAGE.publicTypes) >> 1;
	return { width, aliases, fields, types: halves.slice(from, from + count) };
}

/** Size and slots of a stack frame, which holds an open node, its next child, and what its children inherit. */
const FRAME = 8;
const NEXT = 0;
const LAST = 1;
/** Position of the next child in the production, and the production's row in the tables. */
const PLACE = 2;
const ROW = 3;
/** Offset of the next child, including the whitespace before it. */
const OFFSET = 4;
/** The flat node that is the children's parent, and the field that children without their own field inherit. */
const ABOVE = 5;
const FIELD = 6;
/** The node itself; -1 if it is hidden, in which case its children attach to its parent. */
const OWN = 7;
let frames = new Int32Array(FRAME * 1024);

/**
 * Copies a tree straight out of the runtime's memory. `flatten` does the same through API calls, but several calls per
 * node cost half as much as the parse. The result is valid until the next tree is read; `undefined` if it exceeds the
 * limits.
 */
export function flattenMemory(
	text: string,
	tree: number,
	{ bytes, halves, words }: TreeMemory,
	{ width, aliases, fields, types }: GrammarTables,
	limits: TreeLimits,
): FlatTree | undefined {
	let columns = makeTreeColumns();
	const missing: number[] = [];
	let count = 0;
	let depth = 0;
	let top = 0;
	// A pseudo frame without a production, whose only child is the root.
	frames.set([tree + TREE.root, tree + TREE.root + CHILD_BYTES, width, 0, 0, -1, 0, -1]);
	for (;;) {
		const child = frames[top + NEXT] ?? 0;
		if (child === frames[top + LAST]) {
			if (top === 0) return makeFlatTree(text, columns, count, missing);
			const own = frames[top + OWN] ?? -1;
			if (own >= 0) {
				columns.until[own] = count;
				depth -= 1;
			}
			top -= FRAME;
			continue;
		}
		frames[top + NEXT] = child + CHILD_BYTES;
		const head = words[child >> 2] ?? 0;
		let type = 0;
		let flags = 0;
		let padding = 0;
		let size = 0;
		let visibleChildren = 0;
		if (head & INLINE) {
			const tail = words[(child >> 2) + 1] ?? 0;
			type = (head >> 8) & 0xff;
			flags = head >> 1;
			padding = (tail >> 16) & 0xff;
			size = tail >>> 24;
		} else {
			type = halves[(head + NODE.type) >> 1] ?? 0;
			flags = bytes[head + NODE.flags] ?? 0;
			padding = words[(head + NODE.padding) >> 2] ?? 0;
			size = words[(head + NODE.size) >> 2] ?? 0;
			if (words[(head + NODE.children) >> 2] !== 0) visibleChildren = words[(head + NODE.visibleChildren) >> 2] ?? 0;
		}
		const start = (frames[top + OFFSET] ?? 0) + padding;
		frames[top + OFFSET] = start + size;
		let alias = 0;
		let field = 0;
		if ((flags & EXTRA) === 0) {
			const place = frames[top + PLACE] ?? 0;
			frames[top + PLACE] = place + 1;
			if (place < width) {
				alias = aliases[(frames[top + ROW] ?? 0) + place] ?? 0;
				field = fields[(frames[top + ROW] ?? 0) + place] ?? 0;
			}
			if (field === 0) field = frames[top + FIELD] ?? 0;
		}
		const above = frames[top + ABOVE] ?? -1;
		const shown = (flags & VISIBLE) !== 0 || alias !== 0 || top === 0;
		const at = count;
		if (shown) {
			if (count === columns.type.length) {
				if (count >= limits.nodes) return undefined;
				columns = widenColumns();
			}
			const named = alias === 0 ? type : alias;
			columns.type[at] = named === ERROR_TYPE ? ERROR_TYPE : (types[named] ?? 0);
			columns.field[at] = field;
			columns.start[at] = start >> 1;
			columns.end[at] = (start + size) >> 1;
			columns.parent[at] = above;
			count += 1;
			columns.until[at] = count;
			// Only what has no text can be missing, and few nodes have none.
			if (size === 0) {
				const isMissing = head & INLINE ? flags & INLINE_MISSING : (bytes[head + NODE.moreFlags] ?? 0) & NODE_MISSING;
				if (isMissing) missing.push(at);
			}
		}
		if (visibleChildren === 0) continue;
		if (shown && ++depth > limits.depth) return undefined;
		top += FRAME;
		if (top === frames.length) frames = doubled(frames);
		frames[top + NEXT] = head - (words[(head + NODE.children) >> 2] ?? 0) * CHILD_BYTES;
		frames[top + LAST] = head;
		frames[top + PLACE] = 0;
		frames[top + ROW] = (halves[(head + NODE.production) >> 1] ?? 0) * width;
		// A node's leading whitespace belongs to its first child.
		frames[top + OFFSET] = start - padding;
		frames[top + ABOVE] = shown ? at : above;
		frames[top + FIELD] = shown ? 0 : field;
		frames[top + OWN] = shown ? at : -1;
	}
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
	const wider = new Int32Array(array.length * 2);
	wider.set(array);
	return wider;
}
