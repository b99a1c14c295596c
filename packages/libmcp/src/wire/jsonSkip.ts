import type { Buffer } from "node:buffer";

export type ScanFailure = "not_json" | "too_deep" | "duplicate_member";

/** Frames that nest deeper are refused; the frame's own object is depth 1. */
export const MAX_DEPTH = 256;

// An out-of-bounds read makes V8 compile that access slowly from then on. So callers ensure that the last byte is a
// closing brace or bracket, which stops every loop below except the one for strings, which has its own bound.

/** Where and why a scan stopped. One object per frame, so that the functions below can return plain offsets. */
export class ScanState {
	failure: ScanFailure | undefined = undefined;
	failedAt = 0;
	/** The repeated member, when that is why the scan failed. */
	member = "";

	fail(failure: ScanFailure, at: number): -1 {
		this.failure ??= failure;
		this.failedAt = at;
		return -1;
	}

	repeated(member: string, at: number): -1 {
		this.member = member;
		return this.fail("duplicate_member", at);
	}
}

/**
 * Checks the JSON value that starts at `from` and returns the offset after it, or -1. `depth` is the number of containers
 * already open. Of a string it only finds the closing quote: bad escapes and raw control characters are left to the
 * endpoint's own parser.
 *
 * Measured to be fast: the compiler inlines small functions, and bytes are written as numbers because reading a module's
 * constants would halve the speed. 0x22 quote, 0x5c backslash, 0x7b 0x7d braces, 0x5b 0x5d brackets, 0x2c comma,
 * 0x3a colon, 0x30 to 0x39 digits; -1 is the end of the frame.
 */
export function skipValue(state: ScanState, bytes: Buffer, from: number, depth: number): number {
	const room = MAX_DEPTH - depth;
	let i = from;
	let open = 0;
	// The byte that closes the innermost open container; the outer ones are on the stack.
	let closer = 0;
	for (;;) {
		const c = bytes[i] ?? -1;
		if (c === 0x22) {
			i = skipString(bytes, i + 1);
			if (i === -1) return state.fail("not_json", bytes.length);
		} else if (c === 0x7b || c === 0x5b) {
			if (open >= room) return state.fail("too_deep", i);
			closers[open++] = closer;
			closer = c + 2;
			i++;
			let first = bytes[i] ?? -1;
			if (first <= 0x20) {
				i = skipSpace(bytes, i);
				first = bytes[i] ?? -1;
			}
			if (first !== closer) {
				if (c === 0x7b) i = skipName(state, bytes, i);
				if (i === -1) return -1;
				continue;
			}
		} else {
			const end = c <= 0x39 ? skipNumber(bytes, i) : skipWord(bytes, i);
			if (end === -1) return state.fail("not_json", i);
			i = end;
		}
		// A value has ended, or an empty container is about to close.
		for (;;) {
			if (open === 0) return i;
			let after = bytes[i] ?? -1;
			if (after <= 0x20) {
				i = skipSpace(bytes, i);
				after = bytes[i] ?? -1;
			}
			i++;
			if (after === 0x2c) {
				if ((bytes[i] ?? -1) <= 0x20) i = skipSpace(bytes, i);
				if (closer === 0x7d) i = skipName(state, bytes, i);
				if (i === -1) return -1;
				break;
			}
			if (after !== closer) return state.fail("not_json", i - 1);
			closer = closers[--open] ?? 0;
		}
	}
}

/** `from` is the first byte after the opening quote; returns the offset after the closing one, or -1. */
export function skipString(bytes: Buffer, from: number): number {
	const stop = Math.min(from + 32, bytes.length);
	let i = from;
	for (; i < stop; i++) {
		const c = bytes[i];
		if (c === 0x22) return i + 1;
		if (c === 0x5c) break;
	}
	return skipLongString(bytes, i);
}

/** The rest of a string that is long or has escapes: byte by byte while escapes are dense, else with native search. */
function skipLongString(bytes: Buffer, from: number): number {
	const length = bytes.length;
	let i = from;
	for (;;) {
		// A native call costs about as much as looking at this many bytes here.
		let stop = Math.min(i + 64, length);
		while (i < stop) {
			const c = bytes[i];
			if (c === 0x22) return i + 1;
			if (c === 0x5c) {
				i++;
				stop = Math.min(i + 64, length);
			}
			i++;
		}
		const quote = bytes.indexOf(0x22, i);
		if (quote === -1) return -1;
		let run = quote;
		while (run > i && bytes[run - 1] === 0x5c) run--;
		if (((quote - run) & 1) === 0) return quote + 1;
		i = quote + 1;
	}
}

/** Skips from the end of a member's name, over the colon, to its value. */
export function skipColon(state: ScanState, bytes: Buffer, at: number): number {
	let i = at;
	if (bytes[i] !== 0x3a) {
		i = skipSpace(bytes, i);
		if (bytes[i] !== 0x3a) return state.fail("not_json", i);
	}
	i++;
	return (bytes[i] ?? -1) <= 0x20 ? skipSpace(bytes, i) : i;
}

export function skipSpace(bytes: Buffer, from: number): number {
	let i = from;
	while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i++;
	return i;
}

function skipName(state: ScanState, bytes: Buffer, at: number): number {
	if (bytes[at] !== 0x22) return state.fail("not_json", at);
	const end = skipString(bytes, at + 1);
	return end === -1 ? state.fail("not_json", bytes.length) : skipColon(state, bytes, end);
}

function skipNumber(bytes: Buffer, from: number): number {
	let i = from;
	let c = bytes[i] ?? -1;
	if (c === 0x2d) c = bytes[++i] ?? -1;
	if (c === 0x30) c = bytes[++i] ?? -1;
	else {
		if (c < 0x31 || c > 0x39) return -1;
		while (c >= 0x30 && c <= 0x39) c = bytes[++i] ?? -1;
	}
	if (c === 0x2e) {
		c = bytes[++i] ?? -1;
		if (c < 0x30 || c > 0x39) return -1;
		while (c >= 0x30 && c <= 0x39) c = bytes[++i] ?? -1;
	}
	if (c !== 0x65 && c !== 0x45) return i;
	c = bytes[++i] ?? -1;
	if (c === 0x2b || c === 0x2d) c = bytes[++i] ?? -1;
	if (c < 0x30 || c > 0x39) return -1;
	while (c >= 0x30 && c <= 0x39) c = bytes[++i] ?? -1;
	return i;
}

/** Skips `true`, `false` or `null`. */
function skipWord(bytes: Buffer, at: number): number {
	switch (bytes[at]) {
		case 0x74:
			return bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65 ? at + 4 : -1;
		case 0x6e:
			return bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c ? at + 4 : -1;
		case 0x66:
			return bytes[at + 1] === 0x61 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x73 && bytes[at + 4] === 0x65
				? at + 5
				: -1;
		default:
			return -1;
	}
}

// One byte per open container. `skipValue` never calls itself, so one stack serves every frame.
const closers = new Uint8Array(MAX_DEPTH);

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
