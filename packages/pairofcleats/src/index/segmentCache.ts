import { decompress, decompressText } from "./blockCompression.ts";
import type { StoredSegment } from "./store.ts";
import { StringTable } from "./stringTable.ts";

export type SegmentBlocks = Readonly<
	Record<"columns" | "files" | "names" | "qualifiedNames" | "signatures", Uint8Array>
>;

type Parts = Omit<StoredSegment, "dead">;

/**
 * Segments in their readable form. An edit of one file leaves all but one segment as they were, and reading them anew
 * would be most of its cost. A segment never changes but for its dead files, and its number is never given out again.
 */
export class SegmentCache {
	readonly #known = new Map<number, Parts>();

	take(id: number, docs: number, read: (id: number) => SegmentBlocks): Parts {
		const parts = this.#known.get(id) ?? unpack(id, docs, read(id));
		this.#known.set(id, parts);
		return parts;
	}

	/** Forgets all other segments. */
	keep(ids: ReadonlySet<number>): void {
		for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
	}
}

function unpack(id: number, docs: number, blocks: SegmentBlocks): Parts {
	return {
		id,
		docs,
		columns: once(() => decompress(blocks.columns)),
		files: JSON.parse(decompressText(blocks.files)),
		names: once(() => new StringTable(decompress(blocks.names))),
		qualifiedNames: once(() => new StringTable(decompress(blocks.qualifiedNames))),
		signatures: once(() => new StringTable(decompress(blocks.signatures))),
	};
}

function once<Value>(make: () => Value): () => Value {
	let value: Value | undefined;
	return () => {
		value ??= make();
		return value;
	};
}
