import { ByteLog, ByteReader } from "./bytes.ts";

/**
 * A row holds many terms with their postings, because with one term per row half would be overhead. An entry consists
 * of the number of bytes shared with the previous term, the remaining bytes, the number of postings, and the postings.
 */
const BLOCK_BYTES = 980;
/** Most UTF-8 bytes per UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 3;

export type StoredTerm = { readonly term: string; readonly count: number; readonly bytes: Uint8Array };

export type TermRow = { readonly first: string; readonly block: Uint8Array };

/** Packs terms, given in the order of their UTF-8 bytes, into rows. */
export class TermBlocks {
	readonly #insert: (row: TermRow) => void;
	readonly #log = new ByteLog();
	#first = "";
	/** The bytes of the current term and of the previous one. */
	#term: Buffer = Buffer.alloc(1 << 10);
	#last: Buffer = Buffer.alloc(1 << 10);
	#lastLength = 0;

	constructor(insert: (row: TermRow) => void) {
		this.#insert = insert;
	}

	add(term: string, count: number, postings: Uint8Array): void {
		const most = term.length * MOST_BYTES_OF_UNIT;
		if (most > this.#term.length) this.#term = Buffer.alloc(most);
		const length = this.#term.write(term, "utf8");
		if (this.#log.length > 0 && this.#log.length + length + postings.length > BLOCK_BYTES) this.flush();
		const isFirst = this.#log.length === 0;
		if (isFirst) this.#first = term;
		const shared = isFirst ? length : sharedBytes(this.#last, this.#lastLength, this.#term, length);
		this.#log.varint(shared);
		this.#log.varint(length - shared);
		this.#log.stretch(this.#term, shared, length);
		this.#log.varint(count);
		this.#log.varint(postings.length);
		this.#log.bytes(postings);
		[this.#last, this.#term] = [this.#term, this.#last];
		this.#lastLength = length;
	}

	flush(): void {
		if (this.#log.length > 0) this.#insert({ first: this.#first, block: this.#log.written() });
		this.#log.clear();
	}
}

/** Finds one term in a row. */
export function findTerm({ first, block }: TermRow, term: string): Omit<StoredTerm, "term"> | undefined {
	const wanted = Buffer.from(term, "utf8");
	const reader = new ByteReader(block);
	// Number of leading bytes that the wanted term shares with the previous entry.
	const start = Buffer.from(first, "utf8");
	let known = sharedBytes(start, start.length, wanted, wanted.length);
	while (!reader.done) {
		const shared = reader.varint();
		const rest = reader.bytes(reader.varint());
		const count = reader.varint();
		const bytes = reader.bytes(reader.varint());
		// An entry that shares more bytes with the previous one sorts before the wanted term; one that shares fewer sorts
		// after it.
		if (shared > known) continue;
		if (shared < known) return undefined;
		known += sharedBytes(rest, rest.length, wanted.subarray(known), wanted.length - known);
		if (known === wanted.length && known === shared + rest.length) return { count, bytes };
	}
	return undefined;
}

/** All terms of a row in order. */
export function* eachTerm({ first, block }: TermRow): Generator<StoredTerm> {
	const reader = new ByteReader(block);
	let term = Buffer.from(first, "utf8");
	while (!reader.done) {
		const shared = reader.varint();
		const rest = reader.bytes(reader.varint());
		if (shared !== term.length || rest.length > 0) term = Buffer.concat([term.subarray(0, shared), rest]);
		const count = reader.varint();
		yield { term: term.toString("utf8"), count, bytes: reader.bytes(reader.varint()) };
	}
}

/** The terms of a row that begin or end with a text; all others are skipped without decoding. */
export function* listTermsAround({ first, block }: TermRow, text: string): Generator<StoredTerm> {
	const wanted = Buffer.from(text, "utf8");
	const reader = new ByteReader(block);
	let term = Buffer.from(first, "utf8");
	while (!reader.done) {
		const shared = reader.varint();
		const length = shared + reader.varint();
		if (length > term.length) term = Buffer.concat([term], length * 2);
		reader.stretch(term, shared, length);
		const count = reader.varint();
		const size = reader.varint();
		if (isAt(term, 0, wanted, length) || isAt(term, length - wanted.length, wanted, length))
			yield { term: term.toString("utf8", 0, length), count, bytes: reader.bytes(size) };
		else reader.skip(size);
	}
}

function isAt(term: Uint8Array, from: number, wanted: Uint8Array, length: number): boolean {
	if (from < 0 || from + wanted.length > length) return false;
	let at = 0;
	while (at < wanted.length && term[from + at] === wanted[at]) at += 1;
	return at === wanted.length;
}

function sharedBytes(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
	const length = Math.min(aLength, bLength);
	let at = 0;
	while (at < length && a[at] === b[at]) at += 1;
	return at;
}
