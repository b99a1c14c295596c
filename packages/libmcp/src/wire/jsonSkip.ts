import type { Buffer } from "node:buffer";

export type ScanFailure = "not_json" | "too_deep" | "duplicate_member";

/** The deepest nesting any limit may allow: the size of the scratch stack. */
export const DEPTH_CEILING = 1024;
export const DEFAULT_MAX_DEPTH = 256;

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
 * `depth` is the number of containers already open. The grammar is checked in full, except inside the long stretches of
 * a string that a native search jumps over: there control characters and escapes are left to the endpoint's own parser.
 */
export function skipValue(state: ScanState, bytes: Buffer, from: number, depth: number): number {
	let i = from;
	let open = 0;
	const room = state.maxDepth - depth;
	for (;;) {
		const c = bytes[i];
		if (c === QUOTE) i = skipString(state, bytes, i + 1);
		else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
			if (open >= room) return state.fail("too_deep", i);
			const object = c === OPEN_BRACE;
			inObject[open++] = object ? 1 : 0;
			i = skipSpace(bytes, i + 1);
			if (bytes[i] !== (object ? CLOSE_BRACE : CLOSE_BRACKET)) {
				if (object) i = skipKey(state, bytes, i);
				if (i === -1) return -1;
				continue;
			}
		} else if (c === LOWER_T) i = skipWord(state, bytes, i, "true");
		else if (c === LOWER_F) i = skipWord(state, bytes, i, "false");
		else if (c === LOWER_N) i = skipWord(state, bytes, i, "null");
		else i = skipNumber(state, bytes, i);
		if (i === -1) return -1;

		// A value has ended, or an empty container is about to close.
		for (;;) {
			if (open === 0) return i;
			let after = bytes[i];
			if (after !== COMMA && after !== CLOSE_BRACE && after !== CLOSE_BRACKET) {
				i = skipSpace(bytes, i);
				after = bytes[i];
			}
			const object = inObject[open - 1] === 1;
			if (after === COMMA) {
				i = skipSpace(bytes, i + 1);
				if (object) i = skipKey(state, bytes, i);
				if (i === -1) return -1;
				break;
			}
			if (after !== (object ? CLOSE_BRACE : CLOSE_BRACKET)) return state.fail("not_json", i);
			open--;
			i++;
		}
	}
}

/** From a member's opening quote over its name, colon and white space, to its value. */
function skipKey(state: ScanState, bytes: Buffer, at: number): number {
	if (bytes[at] !== QUOTE) return state.fail("not_json", at);
	const end = skipString(state, bytes, at + 1);
	return end === -1 ? -1 : skipColon(state, bytes, end);
}

/** From the end of a member's name to its value. */
export function skipColon(state: ScanState, bytes: Buffer, at: number): number {
	let i = at;
	if (bytes[i] !== COLON) {
		i = skipSpace(bytes, i);
		if (bytes[i] !== COLON) return state.fail("not_json", i);
	}
	return skipSpace(bytes, i + 1);
}

/** `from` is the first byte after the opening quote; returns the offset after the closing one. */
export function skipString(state: ScanState, bytes: Buffer, from: number): number {
	let i = from;
	let stop = i + NATIVE_AFTER;
	for (;;) {
		while (i < stop) {
			const c = bytes[i];
			if (c === QUOTE) return i + 1;
			if (c === BACKSLASH) {
				i = skipEscape(state, bytes, i + 1);
				if (i === -1) return -1;
				stop = i + NATIVE_AFTER;
			} else {
				if (c === undefined || c < SPACE) return state.fail("not_json", i);
				i++;
			}
		}
		const quote = bytes.indexOf(QUOTE, i);
		if (quote === -1) return state.fail("not_json", bytes.length);
		let run = quote;
		while (run > i && bytes[run - 1] === BACKSLASH) run--;
		if ((quote - run) % 2 === 0) return quote + 1;
		i = quote + 1;
		stop = i + NATIVE_AFTER;
	}
}

export function skipSpace(bytes: Buffer, from: number): number {
	let i = from;
	for (;;) {
		const c = bytes[i];
		if (c === undefined || c > SPACE) return i;
		if (c !== SPACE && c !== NEWLINE && c !== RETURN && c !== TAB) return i;
		i++;
	}
}

// A call into native code costs about as much as looking at this many bytes here.
const NATIVE_AFTER = 48;

function skipEscape(state: ScanState, bytes: Buffer, at: number): number {
	const c = bytes[at];
	if (c === LOWER_U) {
		for (let i = at + 1; i <= at + 4; i++) if (!isHex(bytes[i])) return state.fail("not_json", i);
		return at + 5;
	}
	switch (c) {
		case QUOTE:
		case BACKSLASH:
		case SLASH:
		case LOWER_B:
		case LOWER_F:
		case LOWER_N:
		case LOWER_R:
		case LOWER_T:
			return at + 1;
		default:
			return state.fail("not_json", at);
	}
}

function skipWord(state: ScanState, bytes: Buffer, at: number, word: string): number {
	for (let i = 0; i < word.length; i++) {
		if (bytes[at + i] !== word.charCodeAt(i)) return state.fail("not_json", at + i);
	}
	return at + word.length;
}

function skipNumber(state: ScanState, bytes: Buffer, from: number): number {
	let i = from;
	if (bytes[i] === MINUS) i++;
	if (bytes[i] === ZERO) i++;
	else {
		const digits = skipDigits(bytes, i);
		if (digits === i) return state.fail("not_json", i);
		i = digits;
	}
	if (bytes[i] === DOT) {
		const digits = skipDigits(bytes, i + 1);
		if (digits === i + 1) return state.fail("not_json", digits);
		i = digits;
	}
	const e = bytes[i];
	if (e !== LOWER_E && e !== UPPER_E) return i;
	const sign = bytes[i + 1];
	const exponent = sign === PLUS || sign === MINUS ? i + 2 : i + 1;
	const end = skipDigits(bytes, exponent);
	return end === exponent ? state.fail("not_json", end) : end;
}

function skipDigits(bytes: Buffer, from: number): number {
	let i = from;
	for (;;) {
		const c = bytes[i];
		if (c === undefined || c < ZERO || c > NINE) return i;
		i++;
	}
}

function isHex(c: number | undefined): boolean {
	if (c === undefined) return false;
	return (c >= ZERO && c <= NINE) || (c >= UPPER_A && c <= UPPER_F) || (c >= LOWER_A && c <= LOWER_F);
}

// One byte per open container; the walk never calls itself, so one scratch stack serves every frame.
const inObject = new Uint8Array(DEPTH_CEILING);

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const COMMA = 0x2c;
export const CLOSE_BRACKET = 0x5d;
export const COLON = 0x3a;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const SLASH = 0x2f;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_A = 0x41;
const UPPER_E = 0x45;
const UPPER_F = 0x46;
const LOWER_A = 0x61;
const LOWER_B = 0x62;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
