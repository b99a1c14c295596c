import { isAscii } from "node:buffer";

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
