import { isAscii } from "node:buffer";
import { MODES } from "../segment/columns.ts";
import { locateDocument, type Snapshot, type SnapshotFile } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";

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
		const { segment, local } = locateDocument(snapshot, doc);
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

/** A text as Latin-1 or UTF-16 bytes, so that any part can be read without decoding the whole. */
export class StoredText {
	readonly #bytes: Buffer;
	readonly #width: 1 | 2;

	constructor(bytes: Uint8Array, width: 1 | 2) {
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.#width = width;
	}

	get length(): number {
		return this.#bytes.length / this.#width;
	}

	slice(from = 0, to: number = this.length): string {
		return this.#width === 1
			? this.#bytes.toString("latin1", from, to)
			: this.#bytes.toString("utf16le", 2 * from, 2 * to);
	}

	/** The start of the line `lines` above the one at offset `place`, or of the first line. */
	lineAbove(place: number, lines: number): number {
		let start = this.#newlineBefore(place) + 1;
		for (let line = 0; line < lines && start > 0; line++) start = this.#newlineBefore(start - 1) + 1;
		return start;
	}

	/** The end, including the newline, of the line `lines` below the one at offset `place`. */
	lineBelow(place: number, lines: number): number {
		let end = this.#lineEnd(place);
		for (let line = 0; line < lines && end < this.length; line++) end = this.#lineEnd(end);
		return end;
	}

	#newlineBefore(place: number): number {
		if (place <= 0) return -1;
		const encoding = this.#width === 1 ? "latin1" : "utf16le";
		const found = this.#bytes.lastIndexOf("\n", (place - 1) * this.#width, encoding);
		return found < 0 ? -1 : found / this.#width;
	}

	#lineEnd(place: number): number {
		const encoding = this.#width === 1 ? "latin1" : "utf16le";
		const found = this.#bytes.indexOf("\n", place * this.#width, encoding);
		return found < 0 ? this.length : found / this.#width + 1;
	}
}

/** Stores a UTF-8 text in memory provided by `room`. */
export function storeText(utf8: Buffer, room: (bytes: number, width: 1 | 2) => Uint8Array): StoredText {
	if (isAscii(utf8)) {
		const bytes = room(utf8.length, 1);
		bytes.set(utf8);
		return new StoredText(bytes, 1);
	}
	const text = utf8.toString("utf8");
	const bytes = room(2 * text.length, 2);
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).write(text, "utf16le");
	return new StoredText(bytes, 2);
}

type Block<About> = { readonly bytes: Uint8Array; readonly about: About };

/** Lets any typed array view a block. */
const ALIGNMENT = 8;

/**
 * A cache of byte blocks in memory that is allocated once. Separate arrays would accumulate to tens of megabytes before
 * V8 collects the evicted ones. Blocks are appended to one half; when it is full, the other half is emptied and used
 * next. Using a block in the older half moves it to the newer one.
 */
export class BlockCache<About> {
	readonly #halfBytes: number;
	#newer: Half<About> = { blocks: new Map(), memory: undefined, used: 0 };
	#older: Half<About> = { blocks: new Map(), memory: undefined, used: 0 };

	constructor(mostBytes: number) {
		this.#halfBytes = Math.floor(mostBytes / 2 / ALIGNMENT) * ALIGNMENT;
	}

	/** The block is valid until the next call. */
	get(key: string): Block<About> | undefined {
		const known = this.#newer.blocks.get(key);
		if (known !== undefined) return known;
		const old = this.#older.blocks.get(key);
		if (old === undefined) return undefined;
		const { bytes, about } = old;
		const moved = { bytes: this.#room(bytes.length), about };
		// The bytes stay in place even if the half was emptied, and `set` copies overlapping ranges correctly.
		moved.bytes.set(bytes);
		this.#newer.blocks.set(key, moved);
		return moved;
	}

	/** Returns a new block to fill; the key must be new. A block larger than half the cache is not kept. */
	add(key: string, length: number, about: About): Uint8Array {
		if (length > this.#halfBytes) return new Uint8Array(length);
		const bytes = this.#room(length);
		this.#newer.blocks.set(key, { bytes, about });
		return bytes;
	}

	/** Forgets all blocks but keeps the memory. */
	clear(): void {
		for (const half of [this.#newer, this.#older]) {
			half.blocks.clear();
			half.used = 0;
		}
	}

	#room(length: number): Uint8Array {
		if (this.#newer.used + length > this.#halfBytes) {
			[this.#newer, this.#older] = [this.#older, this.#newer];
			this.#newer.blocks.clear();
			this.#newer.used = 0;
		}
		const half = this.#newer;
		half.memory ??= new ArrayBuffer(this.#halfBytes);
		const bytes = new Uint8Array(half.memory, half.used, length);
		half.used += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
		return bytes;
	}
}

type Half<About> = { readonly blocks: Map<string, Block<About>>; memory: ArrayBuffer | undefined; used: number };
