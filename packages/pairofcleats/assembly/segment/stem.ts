/** Stems a lower-case word in place and returns the new length. Tests keep it consistent with `stem` in `tokens`. */
export function stemmed(at: u32, length: u32): u32 {
	return length < 4 ? length : finished(at, withoutSuffix(at, withoutPlural(at, length)));
}

function withoutPlural(at: u32, length: u32): u32 {
	if (last(at, length, 1) !== S) return length;
	const second = last(at, length, 2);
	if (second === E) {
		const third = last(at, length, 3);
		if (third === I && length > 4) return length - 2;
		if (third === X) return length - 2;
		if (third === S && last(at, length, 4) === S) return length - 2;
		if (third === H && (last(at, length, 4) === C || last(at, length, 4) === S)) return length - 2;
	}
	return second === S || second === U || second === I ? length : length - 1;
}

function withoutSuffix(at: u32, length: u32): u32 {
	const end = last(at, length, 1);
	if (end === G && length > 5 && last(at, length, 2) === N && last(at, length, 3) === I && hasVowel(at, length - 3))
		return length - 3;
	if (end === D && length > 4 && last(at, length, 2) === E && hasVowel(at, length - 2)) return length - 2;
	return end === E && length > 4 ? length - 1 : length;
}

function finished(at: u32, length: u32): u32 {
	if (length <= 3) return length;
	const end = last(at, length, 1);
	const before = last(at, length, 2);
	if (end === before && isOneOf(end, DOUBLED)) return length - 1;
	if (end === Y && !isOneOf(before, VOWELS_BEFORE_Y)) store<u8>(at + length - 1, I);
	return length;
}

function hasVowel(at: u32, length: u32): bool {
	for (let index: u32 = 0; index < length; index++) if (isOneOf(load<u8>(at + index), VOWELS)) return true;
	return false;
}

/** The letter `back` positions from the end. */
function last(at: u32, length: u32, back: u32): u32 {
	return load<u8>(at + length - back);
}

/** Whether a letter is in a bit set. */
function isOneOf(letter: u32, set: u32): bool {
	return letter >= A && ((set >> (letter - A)) & 1) !== 0;
}

const A: u32 = 97;
const C: u32 = 99;
const D: u32 = 100;
const E: u32 = 101;
const G: u32 = 103;
const H: u32 = 104;
const I: u32 = 105;
const N: u32 = 110;
const S: u32 = 115;
const U: u32 = 117;
const X: u32 = 120;
const Y: u32 = 121;

/** Bit sets of letters: bdgmnprt, aeou, and aeiouy. */
const DOUBLED: u32 = (1 << 1) | (1 << 3) | (1 << 6) | (1 << 12) | (1 << 13) | (1 << 15) | (1 << 17) | (1 << 19);
const VOWELS_BEFORE_Y: u32 = 1 | (1 << 4) | (1 << 14) | (1 << 20);
const VOWELS: u32 = VOWELS_BEFORE_Y | (1 << 8) | (1 << 24);
