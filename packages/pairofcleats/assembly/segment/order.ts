import { Block } from "./block";
import { termAt, termCount, termLength } from "./terms";

/** Word terms sorted by their bytes. A record holds the first eight bytes as a number, and the term number. */
let sorted = new Block(1 << 16, false);
let spare = new Block(1 << 16, false);
const RECORD: u32 = 16;
const KEY_BYTES: u32 = 8;

export function orderedTerm(index: u32): u32 {
	return load<u32>(sorted.at + index * RECORD, 8);
}

/** Merge sort; returns the number of terms. */
export function sortTerms(): u32 {
	let count: u32 = 0;
	for (let term: u32 = 0; term < termCount(); term++) {
		if (termLength(term) === 0) continue;
		const record = sorted.room((count + 1) * RECORD) + count * RECORD;
		store<u64>(record, keyOf(term));
		store<u32>(record, term, 8);
		count += 1;
	}
	spare.room(count * RECORD);
	for (let run: u32 = 1; run < count; run *= 2) {
		for (let from: u32 = 0; from < count; from += 2 * run)
			merge(from, min(from + run, count), min(from + 2 * run, count));
		const merged = spare;
		spare = sorted;
		sorted = merged;
	}
	return <u32>count;
}

function merge(from: u32, middle: u32, to: u32): void {
	let left = sorted.at + from * RECORD;
	let right = sorted.at + middle * RECORD;
	const leftEnd = right;
	const rightEnd = sorted.at + to * RECORD;
	let out = spare.at + from * RECORD;
	while (left < leftEnd && right < rightEnd) {
		if (isBefore(right, left)) {
			copyRecord(out, right);
			right += RECORD;
		} else {
			copyRecord(out, left);
			left += RECORD;
		}
		out += RECORD;
	}
	memory.copy(out, left, leftEnd - left);
	memory.copy(out + (leftEnd - left), right, rightEnd - right);
}

function copyRecord(to: u32, from: u32): void {
	store<u64>(to, load<u64>(from));
	store<u64>(to, load<u64>(from, 8), 8);
}

function isBefore(a: u32, b: u32): bool {
	const first = load<u64>(a);
	const second = load<u64>(b);
	return first === second ? isBeforeBehindKey(load<u32>(a, 8), load<u32>(b, 8)) : first < second;
}

function isBeforeBehindKey(a: u32, b: u32): bool {
	const aLength = termLength(a);
	const bLength = termLength(b);
	if (aLength <= KEY_BYTES || bLength <= KEY_BYTES) return aLength < bLength;
	const order = memory.compare(termAt(a) + KEY_BYTES, termAt(b) + KEY_BYTES, min(aLength, bLength) - KEY_BYTES);
	return order === 0 ? aLength < bLength : order < 0;
}

/** The first eight bytes in big-endian order. No term contains a zero byte, so zeros pad shorter terms. */
function keyOf(term: u32): u64 {
	const length = termLength(term);
	const at = termAt(term);
	let key: u64 = 0;
	for (let index: u32 = 0; index < KEY_BYTES; index++)
		key = (key << 8) | (index < length ? <u64>load<u8>(at + index) : 0);
	return key;
}
