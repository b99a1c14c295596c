import { areEscapes, escapedBytes } from "./escapes";
import { MARGIN, stringsAt, TEXT } from "./layout";

/** Properties of the last text that was read. */
export let isSpaced: bool = false;
export let hasEscapes: bool = false;

/**
 * Finds the end of each string of a text, 64 bytes at a time. False if a string is invalid JSON, or a control character
 * that is not white space lies between strings.
 */
export function findStrings(length: u32): bool {
	isSpaced = false;
	hasEscapes = false;
	memory.fill(TEXT + length, 0x20, MARGIN);
	let string = stringsAt;
	/** State carried over from the previous block: all bits if a string is open, one bit if an escape continues. */
	let inString: u64 = 0;
	let inEscape: u64 = 0;
	for (let at: u32 = 0; at < length; at += 64) {
		const block = TEXT + at;
		let quotes = bytesEqual(block, 0x22);
		const slashes = bytesEqual(block, 0x5c);
		if ((slashes | inEscape) !== 0) {
			const escaped = escapedBytes(slashes, inEscape);
			if (!areEscapes(block, escaped)) return false;
			inEscape = (slashes & ~escaped) >> 63;
			quotes &= ~escaped;
			hasEscapes = true;
		}
		// From each opening quote to the byte before the closing one.
		const strings = odd(quotes) ^ inString;
		inString = <u64>(<i64>strings >> 63);
		if (hasControls(block) && (bytesUpTo(block, 0x1f) & strings) !== 0) return false;
		const spaces = bytesUpTo(block, 0x20) & ~strings;
		if (spaces !== 0) {
			const left = length - at;
			isSpaced = isSpaced || left >= 64 || spaces << (64 - left) !== 0;
			if ((spaces & ~whiteSpace(block)) !== 0) return false;
		}
		for (let closing = quotes & ~strings; closing !== 0; closing &= closing - 1) {
			store<u32>(string, at + <u32>ctz(closing) + 1);
			string += 4;
		}
	}
	return inString === 0;
}

/** For each bit, the parity of the bits up to it. */
function odd(bits: u64): u64 {
	let sum = bits ^ (bits << 1);
	sum ^= sum << 2;
	sum ^= sum << 4;
	sum ^= sum << 8;
	sum ^= sum << 16;
	return sum ^ (sum << 32);
}

function whiteSpace(block: u32): u64 {
	return bytesEqual(block, 0x20) | bytesEqual(block, 0x09) | bytesEqual(block, 0x0a) | bytesEqual(block, 0x0d);
}

function bytesEqual(block: u32, byte: u8): u64 {
	const all = i8x16.splat(byte);
	return bits(
		i8x16.eq(v128.load(block), all),
		i8x16.eq(v128.load(block, 16), all),
		i8x16.eq(v128.load(block, 32), all),
		i8x16.eq(v128.load(block, 48), all),
	);
}

function bytesUpTo(block: u32, byte: u8): u64 {
	const all = i8x16.splat(byte);
	return bits(
		i8x16.le_u(v128.load(block), all),
		i8x16.le_u(v128.load(block, 16), all),
		i8x16.le_u(v128.load(block, 32), all),
		i8x16.le_u(v128.load(block, 48), all),
	);
}

function hasControls(block: u32): bool {
	const least = i8x16.min_u(
		i8x16.min_u(v128.load(block), v128.load(block, 16)),
		i8x16.min_u(v128.load(block, 32), v128.load(block, 48)),
	);
	return v128.any_true(i8x16.le_u(least, i8x16.splat(0x1f)));
}

function bits(a: v128, b: v128, c: v128, d: v128): u64 {
	const low = <u64>(i8x16.bitmask(a) | (i8x16.bitmask(b) << 16));
	const high = <u64>(<u32>(i8x16.bitmask(c) | (i8x16.bitmask(d) << 16)));
	return (low & 0xffffffff) | (high << 32);
}
