/** Appends bytes to a growing buffer that is reused. */
export class ByteLog {
	#bytes: Uint8Array = new Uint8Array(1 << 12);
	#length = 0;

	get length(): number {
		return this.#length;
	}

	clear(): void {
		this.#length = 0;
	}

	/** Writes seven bits per byte, lowest first; the top bit says that more follow. */
	varint(value: number): void {
		this.#makeRoom(5);
		let rest = value;
		while (rest >= 0x80) {
			this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
			rest >>>= 7;
		}
		this.#bytes[this.#length++] = rest;
	}

	bytes(bytes: Uint8Array): void {
		this.#makeRoom(bytes.length);
		this.#bytes.set(bytes, this.#length);
		this.#length += bytes.length;
	}

	/** Appends part of an array. For short parts, a loop is faster than creating a view. */
	stretch(bytes: Uint8Array, from: number, to: number): void {
		this.#makeRoom(to - from);
		for (let at = from; at < to; at++) this.#bytes[this.#length++] = bytes[at] ?? 0;
	}

	/** A view that is valid until the next write. */
	written(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	#makeRoom(more: number): void {
		if (this.#length + more > this.#bytes.length) this.#bytes = widenArray(this.#bytes, this.#length + more);
	}
}

/** Reads the bytes of a log. Throws if they end early. */
export class ByteReader {
	readonly #bytes: Uint8Array;
	at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	get done(): boolean {
		return this.at >= this.#bytes.length;
	}

	varint(): number {
		let byte = this.#next();
		let value = byte & 0x7f;
		for (let shift = 7; byte >= 0x80; shift += 7) {
			byte = this.#next();
			value |= (byte & 0x7f) << shift;
		}
		return value >>> 0;
	}

	/** Fills part of an array. For short parts, a loop is faster than creating a view. */
	stretch(into: Uint8Array, from: number, to: number): void {
		for (let at = from; at < to; at++) into[at] = this.#next();
	}

	skip(length: number): void {
		if (length > this.#bytes.length - this.at) throw new DamagedBlock("a block of the index is damaged");
		this.at += length;
	}

	bytes(length: number): Uint8Array {
		this.skip(length);
		return this.#bytes.subarray(this.at - length, this.at);
	}

	#next(): number {
		const byte = this.#bytes[this.at++];
		if (byte === undefined) throw new DamagedBlock("a block of the index is damaged");
		return byte;
	}
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Copies a column into one twice as long, or `length` long if that is more. */
export function widenArray<Kind extends Column>(column: Kind, length = 0): Kind {
	const wider = new (column.constructor as new (length: number) => Kind)(Math.max(column.length * 2, length));
	wider.set(column);
	return wider;
}

/** A copy of a slice, which would otherwise keep its whole file in memory; lone surrogates are replaced. */
export function detachString(text: string): string {
	// V8 itself copies shorter slices.
	return text.length < 13 ? text.toWellFormed() : Buffer.from(text, "utf8").toString("utf8");
}

/**
 * Compares two strings by their UTF-8 bytes, as the store does. UTF-16 order differs for characters beyond the basic
 * plane.
 */
export function compareUtf8(a: string, b: string): number {
	const length = Math.min(a.length, b.length);
	for (let at = 0; at < length; at++) {
		const x = a.charCodeAt(at);
		const y = b.charCodeAt(at);
		if (x !== y) return rank(x) - rank(y);
	}
	return a.length - b.length;
}

/** Surrogates encode characters that sort after all others. */
function rank(unit: number): number {
	return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

/** Bytes of an index that nothing here could have written. */
export class DamagedBlock extends RangeError {}
