import { areEscapes, escapedBytes } from "./escapes";
import { MARGIN, marksAt, TEXT } from "./layout";

/** Properties of the last text that was read. */
export let isSpaced: bool = false;
export let hasEscapes: bool = false;

/**
 * Finds the tokens of a text, 64 bytes at a time: the quotes of each string, every brace, bracket, comma and colon
 * outside strings, and the first byte of each number and literal. False if a string or the space between tokens is
 * invalid JSON.
 */
export function findMarks(length: u32): bool {
	isSpaced = false;
	hasEscapes = false;
	memory.fill(TEXT + length, 0x20, MARGIN);
	let mark = marksAt;
	/**
	 * State carried over from the previous block: all bits if a string is open, one bit if an escape or a literal
	 * continues.
	 */
	let inString: u64 = 0;
	let inEscape: u64 = 0;
	let inWord: u64 = 0;
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
		const signs = signsOf(block) & ~strings;
		const words = ~(strings | quotes | signs | spaces);
		let marks = signs | quotes | (words & ~((words << 1) | inWord));
		inWord = words >> 63;
		for (; marks !== 0; marks &= marks - 1) {
			store<u32>(mark, at + <u32>ctz(marks));
			mark += 4;
		}
	}
	store<u32>(mark, length);
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

function signsOf(block: u32): u64 {
	return bits(
		signs(v128.load(block)),
		signs(v128.load(block, 16)),
		signs(v128.load(block, 32)),
		signs(v128.load(block, 48)),
	);
}

/** By the low half of a byte, the only sign it can be: colon, opening brace, comma, closing brace. */
const SIGNS: v128 = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3a, 0x7b, 0x2c, 0x7d, 0, 0);

// Setting one bit turns brackets into braces. It also maps two control characters to signs, but those are invalid JSON
// and detected elsewhere.
function signs(bytes: v128): v128 {
	const candidates = i8x16.swizzle(SIGNS, v128.and(bytes, i8x16.splat(0x0f)));
	return i8x16.eq(v128.or(bytes, i8x16.splat(0x20)), candidates);
}

function bits(a: v128, b: v128, c: v128, d: v128): u64 {
	const low = <u64>(i8x16.bitmask(a) | (i8x16.bitmask(b) << 16));
	const high = <u64>(<u32>(i8x16.bitmask(c) | (i8x16.bitmask(d) << 16)));
	return (low & 0xffffffff) | (high << 32);
}
