import type { Buffer } from "node:buffer";

export type ScanFailure = "not_json" | "too_deep" | "duplicate_member";

/** The deepest nesting any limit may allow: the size of the scratch stack. */
const DEPTH_CEILING = 1024;
export const DEFAULT_MAX_DEPTH = 256;

// Reading past the end once makes every later read of that place slow, so callers see to it that a closing brace or
// bracket comes last: it stops every loop below but the one in strings, which has its own bound.

/** Where and why a scan stopped; one per frame, so that the walking functions can return plain offsets. */
export class ScanState {
	readonly maxDepth: number;
	failure: ScanFailure | undefined = undefined;
	failedAt = 0;
	/** The member that appeared twice, when that is the failure. */
	member = "";

	constructor(maxDepth: number = DEFAULT_MAX_DEPTH) {
		this.maxDepth = Math.min(maxDepth, DEPTH_CEILING);
	}

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
 * Checks the JSON value that starts at `from` and returns the offset after it, or -1.
 * `depth` is the number of containers already open. Checked: everything but what strings hold, where only the closing
 * quote is looked for; bad escapes and raw control characters are left to the endpoint's own parser.
 *
 * Shaped by measurement: small functions that the compiler inlines, one comparison per byte on the common path.
 */
export function skipValue(state: ScanState, bytes: Buffer, from: number, depth: number): number {
	const room = state.maxDepth - depth;
	let i = from;
	let open = 0;
	// The byte that closes the innermost open container; the others wait on the stack.
	let closer = 0;
	for (;;) {
		const c = bytes[i] ?? END;
		if (c === QUOTE) {
			i = skipString(bytes, i + 1);
			if (i === -1) return state.fail("not_json", bytes.length);
		} else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
			if (open >= room) return state.fail("too_deep", i);
			closers[open++] = closer;
			closer = c + 2;
			i = skipSpace(bytes, i + 1);
			if (bytes[i] !== closer) {
				if (c === OPEN_BRACE) i = skipName(state, bytes, i);
				if (i === -1) return -1;
				continue;
			}
		} else {
			const end = c <= NINE ? skipNumber(bytes, i) : skipWord(bytes, i);
			if (end === -1) return state.fail("not_json", i);
			i = end;
		}
		// A value has ended, or an empty container is about to close.
		for (;;) {
			if (open === 0) return i;
			i = skipSpace(bytes, i);
			const after = bytes[i];
			if (after === COMMA) {
				i = skipSpace(bytes, i + 1);
				if (closer === CLOSE_BRACE) i = skipName(state, bytes, i);
				if (i === -1) return -1;
				break;
			}
			if (after !== closer) return state.fail("not_json", i);
			closer = closers[--open] ?? 0;
			i++;
		}
	}
}

/** `from` is the first byte after the opening quote; returns the offset after the closing one, or -1. */
export function skipString(bytes: Buffer, from: number): number {
	const length = bytes.length;
	let i = from;
	let stop = i + NATIVE_AFTER;
	for (;;) {
		if (stop > length) stop = length;
		while (i < stop) {
			const c = bytes[i];
			if (c === QUOTE) return i + 1;
			if (c === BACKSLASH) {
				i++;
				stop = i + NATIVE_AFTER;
			}
			i++;
		}
		const quote = bytes.indexOf(QUOTE, i);
		if (quote === -1) return -1;
		let run = quote;
		while (run > i && bytes[run - 1] === BACKSLASH) run--;
		if ((quote - run) % 2 === 0) return quote + 1;
		i = quote + 1;
		stop = i + NATIVE_AFTER;
	}
}

/** From the end of a member's name, over the colon, to its value. */
export function skipColon(state: ScanState, bytes: Buffer, at: number): number {
	const i = skipSpace(bytes, at);
	return bytes[i] === COLON ? skipSpace(bytes, i + 1) : state.fail("not_json", i);
}

export function skipSpace(bytes: Buffer, from: number): number {
	let i = from;
	for (;;) {
		const c = bytes[i] ?? END;
		if (c > SPACE || (c !== SPACE && c !== NEWLINE && c !== RETURN && c !== TAB)) return i;
		i++;
	}
}

function skipName(state: ScanState, bytes: Buffer, at: number): number {
	if (bytes[at] !== QUOTE) return state.fail("not_json", at);
	const end = skipString(bytes, at + 1);
	return end === -1 ? state.fail("not_json", bytes.length) : skipColon(state, bytes, end);
}

function skipNumber(bytes: Buffer, from: number): number {
	let i = from;
	if (bytes[i] === MINUS) i++;
	const whole = i;
	i = bytes[i] === ZERO ? i + 1 : skipDigits(bytes, i);
	if (i === whole) return -1;
	if (bytes[i] === DOT) {
		const fraction = i + 1;
		i = skipDigits(bytes, fraction);
		if (i === fraction) return -1;
	}
	if (bytes[i] !== LOWER_E && bytes[i] !== UPPER_E) return i;
	i++;
	if (bytes[i] === PLUS || bytes[i] === MINUS) i++;
	const end = skipDigits(bytes, i);
	return end === i ? -1 : end;
}

function skipDigits(bytes: Buffer, from: number): number {
	let i = from;
	for (;;) {
		const c = bytes[i] ?? END;
		if (c < ZERO || c > NINE) return i;
		i++;
	}
}

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

// A call into native code costs about as much as looking at this many bytes here.
const NATIVE_AFTER = 64;
// One byte per open container; the walk never calls itself, so one scratch stack serves every frame.
const closers = new Uint8Array(DEPTH_CEILING);

// What reading past the end gives: equal to no byte, greater than none.
const END = -1;
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
