import { Block } from "./block";
import { HashSlots, hashed, hashIn, numberIn, seeded } from "./hashSlots";

/**
 * The terms of a segment, numbered in order of appearance: word terms by their UTF-8 bytes, and fact terms, whose text
 * only the host has.
 */
const slots = new HashSlots(1 << 14);
/** The bytes of all terms, concatenated, and the start of each; a fact has no bytes here. */
const bytes = new Block(1 << 16, false);
const starts = new Block(1 << 15, true);
let size: u32 = 0;

export function termCount(): u32 {
	return size;
}

export function termAt(term: u32): u32 {
	return bytes.at + load<u32>(starts.at + (term << 2));
}

export function termLength(term: u32): u32 {
	const start = starts.at + (term << 2);
	return load<u32>(start, 4) - load<u32>(start);
}

/** Finds or adds a word term; returns its number. */
export function findTerm(at: u32, length: u32): u32 {
	let hash = seeded();
	for (let index: u32 = 0; index < length; index++) hash = hashed(hash, load<u8>(at + index));
	let slot = slots.first(hash);
	for (let known = numberIn(slot); known >= 0; known = numberIn(slot)) {
		if (hashIn(slot) === hash && termLength(known) === length && memory.compare(termAt(known), at, length) === 0)
			return known;
		slot = slots.next(slot);
	}
	slots.take(slot, hash, size);
	const from = load<u32>(starts.at + (size << 2));
	memory.copy(bytes.room(from + length) + from, at, length);
	const term = newTerm(length);
	slots.makeRoom(size);
	return term;
}

/** Adds a term of this many bytes; returns its number. */
export function newTerm(length: u32): u32 {
	const start = starts.room((size + 2) << 2) + (size << 2);
	store<u32>(start, load<u32>(start) + length, 4);
	return size++;
}

export function clearTerms(): void {
	slots.clear();
	size = 0;
}
