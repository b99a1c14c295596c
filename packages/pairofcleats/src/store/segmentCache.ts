import { decompress, decompressText } from "../segment/compression.ts";
import type { FileEntry } from "../segment/indexedFile.ts";
import { StringTable } from "../segment/stringTable.ts";

export type SegmentBlocks = Readonly<
	Record<"columns" | "files" | "names" | "qualifiedNames" | "signatures", Uint8Array>
>;

/** The immutable parts of a segment. */
export type SegmentParts = {
	readonly id: number;
	readonly docs: number;
	readonly files: readonly FileEntry[];
	/** Columns, names, qualified names and signatures of the chunks, decoded on first use. */
	columns(): Uint8Array;
	names(): StringTable;
	qualifiedNames(): StringTable;
	signatures(): StringTable;
};

/**
 * A cache of decoded segments. An edit of one file leaves all other segments unchanged, and decoding them again would
 * dominate its cost. Only the list of dead files of a segment ever changes, and segment numbers are never reused.
 */
export class SegmentCache {
	readonly #known = new Map<number, SegmentParts>();

	take(id: number, docs: number, read: (id: number) => SegmentBlocks): SegmentParts {
		const parts = this.#known.get(id) ?? unpack(id, docs, read(id));
		this.#known.set(id, parts);
		return parts;
	}

	/** Forgets all other segments. */
	keep(ids: ReadonlySet<number>): void {
		for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
	}
}

function unpack(
	id: number,
	docs: number,
	{ columns, files, names, qualifiedNames, signatures }: SegmentBlocks,
): SegmentParts {
	return {
		id,
		docs,
		columns: once(columns, decompress),
		files: JSON.parse(decompressText(files)),
		names: once(names, readStrings),
		qualifiedNames: once(qualifiedNames, readStrings),
		signatures: once(signatures, readStrings),
	};
}

function readStrings(block: Uint8Array): StringTable {
	return new StringTable(decompress(block));
}

/** Decodes a block on first use and then releases the block. */
function once<Value>(block: Uint8Array, make: (block: Uint8Array) => Value): () => Value {
	let state: { readonly block: Uint8Array } | { readonly value: Value } = { block };
	return () => {
		if ("block" in state) state = { value: make(state.block) };
		return state.value;
	};
}
