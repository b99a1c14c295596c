import { MODES } from "../index/columns.ts";
import { locate, type Snapshot, type SnapshotFile } from "../index/snapshot.ts";
import type { IndexReader } from "../index/store.ts";
import { ByteCache } from "./byteCache.ts";

/** Characters, nearly always a byte each. Enough for many pages of hits, little beside the index itself. */
const MOST_HELD = 12_000_000;

/** Texts of files as they were indexed, the last ones kept. */
export class FileTexts {
	readonly #reader: IndexReader;
	readonly #texts = new ByteCache<string>(MOST_HELD);

	constructor(reader: IndexReader) {
		this.#reader = reader;
	}

	file(file: SnapshotFile): string {
		const key = `${file.segment.id}/${file.ordinal}`;
		const known = this.#texts.get(key);
		if (known !== undefined) return known;
		const text = this.#reader.text(file.segment.id, file.ordinal) ?? "";
		this.#texts.set(key, text, text.length);
		return text;
	}

	/** The text of one chunk. Comments are kept by their lines, everything else by its offsets. */
	chunk(snapshot: Snapshot, doc: number): string {
		const { segment, local } = locate(snapshot, doc);
		const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
		if (!file) return "";
		const text = this.file(file);
		const { start, end, startLine, endLine, mode } = segment.columns;
		if (MODES[mode[local] ?? 0] === "extracted-prose" && (end[local] ?? 0) === 0) {
			return text
				.split("\n")
				.slice((startLine[local] ?? 1) - 1, endLine[local])
				.join("\n");
		}
		return text.slice(start[local], end[local]);
	}
}
