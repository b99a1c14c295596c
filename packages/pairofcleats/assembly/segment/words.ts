import { Block } from "./block";
import { HashSlots, hashed, hashIn, numberIn, seeded } from "./hashSlots";
import { DIGIT, INNER, kindAt } from "./kinds";
import { eachTermOf } from "./split";

/** Words by number. Most words of a text have been seen before, and need not be split again. */
const slots = new HashSlots(1 << 14);
/** The units of all words, concatenated, and by word its start in bytes. */
const units = new Block(1 << 17, false);
const starts = new Block(1 << 15, true);
let size: u32 = 0;
/** The terms of all words, concatenated, and by word the start of its terms. */
const terms = new Block(1 << 16, false);
const termStarts = new Block(1 << 15, true);
let termsLength: u32 = 0;
/** The words read last. */
const found = new Block(1 << 14, false);
/**
 * A hash of the text read last without whitespace, so that re-indented copies of the same code have the same hash. It is
 * stored, so it does not depend on the seed; it is wide, since texts with equal hashes are taken for copies.
 */
export let twin: u64 = 0;
const TWIN_START: u64 = ((<u64>0xcbf29ce4) << 32) | 0x84222325;
const TWIN_FACTOR: u64 = 0x100000001b3;

/** The last whitespace character; everything below it counts as whitespace, too. */
const BLANK: u32 = 32;

export function wordCount(): u32 {
	return size;
}

export function foundAt(): u32 {
	return found.at;
}

export function wordAt(word: u32): u32 {
	return units.at + load<u32>(starts.at + (word << 2));
}

/** In UTF-16 units. */
export function wordLength(word: u32): u32 {
	const start = starts.at + (word << 2);
	return (load<u32>(start, 4) - load<u32>(start)) >> 1;
}

/** The address of a word's terms; they end where the next word's begin. */
export function termsOfWord(word: u32): u32 {
	return terms.at + (load<u32>(termStarts.at + (word << 2)) << 2);
}

/** Records the words of a text range in order; returns their number. */
export function readWords(from: u32, to: u32): u32 {
	let count: u32 = 0;
	let hashOfAll = TWIN_START;
	for (let at = from; at < to; ) {
		const kind = kindAt(at, from, to);
		if (kind >= INNER) {
			const mark = <u32>load<u16>(at);
			at += 2;
			if (mark > BLANK) hashOfAll = widelyHashed(hashOfAll, mark);
			continue;
		}
		const start = at;
		// A number consists of digits only; a word also contains letters and joining characters.
		const last = kind === DIGIT ? DIGIT : INNER;
		let hash = TWIN_START;
		let ownHash = seeded();
		do {
			const unit = <u32>load<u16>(at);
			hash = widelyHashed(hash, unit);
			ownHash = hashed(ownHash, unit);
			at += 2;
		} while (at < to && kindAt(at, from, to) <= last);
		hashOfAll = widelyHashed(hashOfAll, hash);
		store<u32>(found.room((count + 1) << 2) + (count << 2), find(start, at, ownHash));
		count += 1;
	}
	twin = hashOfAll;
	return count;
}

function widelyHashed(hash: u64, value: u64): u64 {
	return (hash ^ value) * TWIN_FACTOR;
}

export function clearWords(): void {
	slots.clear();
	size = 0;
	termsLength = 0;
}

function find(start: u32, end: u32, hash: u32): u32 {
	let slot = slots.first(hash);
	for (let known = numberIn(slot); known >= 0; known = numberIn(slot)) {
		if (hashIn(slot) === hash && isWord(known, start, end)) return known;
		slot = slots.next(slot);
	}
	slots.take(slot, hash, size);
	return add(start, end);
}

function isWord(word: u32, start: u32, end: u32): bool {
	const place = starts.at + (word << 2);
	const from = load<u32>(place);
	if (load<u32>(place, 4) - from !== <u32>(end - start)) return false;
	let other = units.at + from;
	let at = start;
	for (; at + 8 <= end; at += 8, other += 8) if (load<u64>(at) !== load<u64>(other)) return false;
	for (; at < end; at += 2, other += 2) if (load<u16>(at) !== load<u16>(other)) return false;
	return true;
}

function add(start: u32, end: u32): u32 {
	const word = size++;
	const place = starts.room((word + 2) << 2) + (word << 2);
	const from = load<u32>(place);
	const length = <u32>(end - start);
	memory.copy(units.room(from + length) + from, start, length);
	store<u32>(place, from + length, 4);
	eachTermOf(start, length >> 1, addTermOfWord);
	store<u32>(termStarts.room((word + 2) << 2) + (word << 2), termsLength, 4);
	slots.makeRoom(size);
	return word;
}

/** Adds a term to the current word. */
export function addTermOfWord(term: u32): void {
	const at = termsLength++ << 2;
	store<u32>(terms.room(at + 4) + at, term);
}
