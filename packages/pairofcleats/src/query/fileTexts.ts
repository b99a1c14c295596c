import { MODES } from "../segment/columns.ts";
import { locate, type Snapshot, type SnapshotFile } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { BlockCache } from "./blockCache.ts";
import { StoredText, storeText } from "./storedText.ts";

/** Size of the cache, enough for many pages of hits; most texts take one byte per character. */
const MOST_HELD = 12_000_000;

type OpenText = { readonly key: string; readonly text: StoredText; lines?: readonly string[] };

/**
 * Texts of files as indexed, with a cache of recently used ones. The cache outlives a generation, because segments
 * never change.
 */
export class FileTexts {
	readonly #reader: IndexReader;
	readonly #texts = new BlockCache<1 | 2>(MOST_HELD);
	/** Chunks of the same file are often read in a row. */
	#last: OpenText | undefined;

	constructor(reader: IndexReader) {
		this.#reader = reader;
	}

	file(file: SnapshotFile): string {
		return this.#open(file)?.text.slice() ?? "";
	}

	/** A part of a file with `lines` whole lines around it, and the part's offset in that text. */
	around(file: SnapshotFile, start: number, end: number, lines: number): { text: string; start: number } {
		const text = this.#open(file)?.text;
		if (!text) return { text: "", start: 0 };
		const from = text.lineAbove(start, lines);
		return { text: text.slice(from, text.lineBelow(end, lines)), start: start - from };
	}

	/** The text of one chunk. Comments are stored by lines, all other chunks by offsets. */
	chunk(snapshot: Snapshot, doc: number): string {
		const { segment, local } = locate(snapshot, doc);
		const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
		const open = file && this.#open(file);
		if (!open) return "";
		const { start, end, startLine, endLine, mode } = segment.columns;
		if (MODES[mode[local] ?? 0] === "extracted-prose" && (end[local] ?? 0) === 0) {
			open.lines ??= open.text.slice().split("\n");
			return open.lines.slice((startLine[local] ?? 1) - 1, endLine[local]).join("\n");
		}
		return open.text.slice(start[local], end[local]);
	}

	#open(file: SnapshotFile): OpenText | undefined {
		const key = `${file.segment.id}/${file.ordinal}`;
		if (this.#last?.key === key) return this.#last;
		const known = this.#texts.get(key);
		const text = known ? new StoredText(known.bytes, known.about) : this.#read(key, file);
		this.#last = text && { key, text };
		return this.#last;
	}

	#read(key: string, { segment, ordinal }: SnapshotFile): StoredText | undefined {
		const utf8 = this.#reader.textBytes(segment.id, ordinal);
		return utf8 && storeText(utf8, (bytes, width) => this.#texts.add(key, bytes, width));
	}
}
