import { splitWord } from "./host";
import { stemmed } from "./stem";
import { findTerm } from "./terms";

/** Same limit as in `terms.ts`: longer ASCII words are not indexed. */
const LONGEST_WORD: u32 = 64;

/** The parts of the current word in lower case, concatenated, and a copy of one part for stemming. */
const PARTS: u32 = <u32>memory.data(64);
const PART: u32 = <u32>memory.data(64);

type Add = (term: u32) => void;

/**
 * Calls back with the terms of a word, like `splitIntoTerms`: its stemmed parts, and the whole word if there are several
 * parts.
 */
export function eachTermOf(at: u32, units: u32, add: Add): void {
	const end = at + (units << 1);
	for (let unit = at; unit < end; unit += 2) {
		if (load<u16>(unit) < 0x80) continue;
		splitWord(at, units);
		return;
	}
	if (units > LONGEST_WORD) return;
	let length: u32 = 0;
	let count = 0;
	for (let unit = at; unit < end; ) {
		const partEnd = endOfPart(unit, end);
		if (partEnd === unit) {
			unit += 2;
			continue;
		}
		const from = length;
		for (; unit < partEnd; unit += 2) store<u8>(PARTS + length++, lower(load<u16>(unit)));
		memory.copy(PART, PARTS + from, length - from);
		add(findTerm(PART, stemmed(PART, length - from)));
		count += 1;
	}
	if (count > 1) add(findTerm(PARTS, length));
}

/**
 * The end of the part that begins here: capitals, a capital with lower-case letters, or digits. Returns `at` for any
 * other character.
 */
function endOfPart(at: u32, end: u32): u32 {
	const first = load<u16>(at);
	if (isDigit(first)) {
		do at += 2;
		while (at < end && isDigit(load<u16>(at)));
		return at;
	}
	if (isCapital(first)) {
		const start = at;
		do at += 2;
		while (at < end && isCapital(load<u16>(at)));
		if (at === end || !isSmall(load<u16>(at))) return at;
		// The last capital begins the next part, unless it is the only one.
		if (at - start > 2) return at - 2;
	}
	while (at < end && isSmall(load<u16>(at))) at += 2;
	return at;
}

function lower(unit: u32): u32 {
	return isCapital(unit) ? unit | 0x20 : unit;
}

function isDigit(unit: u32): bool {
	return unit - 48 < 10;
}

function isCapital(unit: u32): bool {
	return unit - 65 < 26;
}

function isSmall(unit: u32): bool {
	return unit - 97 < 26;
}
