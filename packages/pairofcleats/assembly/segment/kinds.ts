import { kindOf } from "./host";

export const DIGIT: u32 = 0;
/** The last kind that a word can contain, and the first that it cannot begin with. */
export const INNER: u32 = 2;
const OTHER: u32 = 3;

/** By UTF-16 unit: the kind plus one, or zero if not yet known. Surrogates are never cached. */
const KINDS: u32 = <u32>memory.data(1 << 16);

/** The kind of the character at `at`, in a text from `from` to `to`. */
export function kindAt(at: u32, from: u32, to: u32): u32 {
	const known = <u32>load<u8>(KINDS + load<u16>(at));
	return known !== 0 ? known - 1 : lookUp(at, from, to);
}

function lookUp(at: u32, from: u32, to: u32): u32 {
	const unit = <u32>load<u16>(at);
	if (isHigh(unit)) return at + 2 < to && isLow(load<u16>(at, 2)) ? pairKind(unit, load<u16>(at, 2)) : OTHER;
	// A low surrogate has the kind of the whole character.
	if (isLow(unit)) return at > from && isHigh(load<u16>(at - 2)) ? pairKind(load<u16>(at - 2), unit) : OTHER;
	const kind = kindOf(unit);
	store<u8>(KINDS + unit, kind + 1);
	return kind;
}

function pairKind(high: u32, low: u32): u32 {
	return kindOf(((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000);
}

function isHigh(unit: u32): bool {
	return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: u32): bool {
	return unit >= 0xdc00 && unit < 0xe000;
}
