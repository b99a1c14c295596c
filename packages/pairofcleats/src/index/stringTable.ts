/** Many short strings as one block of UTF-8, one a line; each is decoded when it is asked for. */
export class StringTable {
	readonly #bytes: Buffer;
	readonly #ends: Uint32Array;

	constructor(bytes: Buffer) {
		this.#bytes = bytes;
		const ends: number[] = [];
		for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at);
		ends.push(bytes.length);
		this.#ends = Uint32Array.from(ends);
	}

	get length(): number {
		return this.#ends.length;
	}

	at(index: number): string {
		const end = this.#ends[index];
		if (end === undefined) return "";
		const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 1;
		return start === end ? "" : this.#bytes.toString("utf8", start, end);
	}
}

/** The block that a table reads; a string with a line break in it loses the break. */
export function packStrings(strings: readonly string[]): string {
	return strings.map((text) => (text.includes("\n") ? text.replaceAll("\n", " ") : text)).join("\n");
}
