import { decompress } from "./blockCompression.ts";
import type { StoredSegment } from "./store.ts";
import { StringTable } from "./stringTable.ts";

const BLOCKS = ["columns", "files", "names", "qualifiedNames", "signatures"] as const;
export type SegmentBlocks = Readonly<Record<(typeof BLOCKS)[number], Uint8Array>>;

type Parts = Omit<StoredSegment, "dead">;

/**
 * Segments in their readable form. An edit of one file leaves all but one segment as they were, and reading them anew
 * would be most of its cost. SQLite gives a number out again, so a segment is known by its blocks and not by that.
 */
export class SegmentCache {
	#known = new Map<number, { readonly blocks: SegmentBlocks; readonly parts: Parts }>();

	take(id: number, docs: number, blocks: SegmentBlocks): Parts {
		const known = this.#known.get(id);
		if (known?.parts.docs === docs && BLOCKS.every((name) => Buffer.compare(known.blocks[name], blocks[name]) === 0)) {
			return known.parts;
		}
		const parts = unpack(id, docs, blocks);
		this.#known.set(id, { blocks, parts });
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
		files: JSON.parse(decompress(blocks.files).toString("utf8")),
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
