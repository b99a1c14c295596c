import { Block, lists } from "./block";
import { termCount } from "./terms";

// Postings in order of arrival, sorted into lists by term when a segment is full.

const terms = new Block(1 << 16, false);
const values = new Block(1 << 14, false);
let length: u32 = 0;
/** Runs of postings of one document: its number, and the end of the run. */
const runs = new Block(1 << 13, false);
let runCount: u32 = 0;

/** By term, the start of its list. The lists hold all documents first, then all values. */
const starts = new Block(1 << 16, false);
let listedValues: u32 = 0;

const encoded = new Block(1 << 16, false);
/** Maximum encoded size of a posting. */
const MOST_BYTES: u32 = 6;
/** Once in the body and in no field: the default value, which is not stored. */
const ONCE: u32 = 1;

export function postingCount(): u32 {
	return length;
}

export function addPosting(term: u32, value: u32): void {
	const at = length++;
	store<u32>(terms.room((at + 1) << 2) + (at << 2), term);
	store<u8>(values.room(at + 1) + at, value);
}

/** Assigns the postings since the last run to this document. */
export function endRun(document: u32): void {
	const at = runCount++ << 3;
	const run = runs.room(at + 8) + at;
	store<u32>(run, document);
	store<u32>(run, length, 4);
}

/** A counting sort, which keeps documents in ascending order. */
export function sortPostings(): void {
	const count = termCount();
	const at = starts.room((count + 2) << 2);
	memory.fill(at, 0, (count + 2) << 2);
	for (let index: u32 = 0; index < length; index++) {
		// Offset by two, because filling the lists moves each start forward by one.
		const slot = at + (load<u32>(terms.at + (index << 2)) << 2) + 8;
		store<u32>(slot, load<u32>(slot) + 1);
	}
	for (let slot = at + 8; slot < at + (count << 2); slot += 4)
		store<u32>(slot, load<u32>(slot) + load<u32>(slot, 4), 4);
	const documents = lists.room(length * 5);
	listedValues = documents + (length << 2);
	let index: u32 = 0;
	for (let run = runs.at; run < runs.at + (runCount << 3); run += 8) {
		const document = load<u32>(run);
		for (const end = load<u32>(run, 4); index < end; index++) {
			const slot = at + (load<u32>(terms.at + (index << 2)) << 2) + 4;
			const place = load<u32>(slot);
			store<u32>(slot, <u32>place + 1);
			store<u32>(documents + (place << 2), document);
			store<u8>(listedValues + place, load<u8>(values.at + index));
		}
	}
}

/** Number of postings of a term, after sorting. */
export function countOf(term: u32): u32 {
	const start = starts.at + (term << 2);
	return load<u32>(start, 4) - load<u32>(start);
}

/** Encodes a term's list at `encodedAt` in the format of `postings.ts`; returns its size in bytes. */
export function encode(term: u32): u32 {
	const start = starts.at + (term << 2);
	const from = load<u32>(start);
	const to = load<u32>(start, 4);
	let out = encoded.room((to - from) * MOST_BYTES);
	let next: u32 = 0;
	for (let index = from; index < to; index++) {
		const document = load<u32>(lists.at + (index << 2));
		const value: u32 = load<u8>(listedValues + index);
		let gap = ((document - next) << 1) | u32(value > ONCE);
		next = document + 1;
		for (; gap >= 0x80; gap >>= 7) store<u8>(out++, (gap & 0x7f) | 0x80);
		store<u8>(out++, gap);
		if (value > ONCE) store<u8>(out++, value);
	}
	return <u32>(out - encoded.at);
}

export function encodedAt(): u32 {
	return encoded.at;
}

export function expectPostings(count: u32): void {
	terms.room(count << 2);
	values.room(count);
	lists.room(count * 5);
}

export function clearPostings(): void {
	length = 0;
	runCount = 0;
}
