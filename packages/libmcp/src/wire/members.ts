import type { Buffer } from "node:buffer";
import type { Span } from "./envelope.ts";
import {
	BACKSLASH,
	CLOSE_BRACE,
	CLOSE_BRACKET,
	COMMA,
	MAX_DEPTH,
	OPEN_BRACE,
	QUOTE,
	ScanState,
	skipColon,
	skipSpace,
	skipString,
	skipValue,
} from "./jsonSkip.ts";
import { rawJson } from "./requestId.ts";

/** A member to look for: where its span goes, and what to look for inside it when it is an object. */
type WantedMember = { readonly name: string; readonly slot: number; readonly inside?: WantedMembers };
type WantedMembers = {
	readonly members: readonly WantedEntry[];
	/** Whether repeated names are refused for all members, not only the wanted ones. */
	readonly distinct: boolean;
};

type WantedEntry = WantedMember & { readonly bytes: Uint8Array };

export function prepareMembers(members: readonly WantedMember[], distinct = false): WantedMembers {
	return { distinct, members: members.map((member) => ({ ...member, bytes: new TextEncoder().encode(member.name) })) };
}

/**
 * Walks the object that opens at `from` and writes the spans of wanted members to `slots` (start at 2n, end at 2n + 1;
 * -1 when absent). Returns the offset after the object, or -1. A repeated wanted member is a failure: two readers of
 * the same bytes must not see two different values.
 */
export function scanMembers(
	state: ScanState,
	bytes: Buffer,
	from: number,
	depth: number,
	wanted: WantedMembers,
	slots: Int32Array,
): number {
	if (depth >= MAX_DEPTH) return state.fail("too_deep", from);
	let others: Set<string> | undefined;
	let i = skipSpace(bytes, from + 1);
	if (bytes[i] === CLOSE_BRACE) return i + 1;
	for (;;) {
		const key = i;
		if (bytes[key] !== QUOTE) return state.fail("not_json", key);
		const keyEnd = skipString(bytes, key + 1);
		if (keyEnd === -1) return state.fail("not_json", bytes.length);
		const value = skipColon(state, bytes, keyEnd);
		if (value === -1) return -1;
		const member = findWanted(bytes, key, keyEnd, wanted);
		if (member === undefined && wanted.distinct) {
			others ??= new Set();
			const name = readString(bytes, key, keyEnd);
			if (name === undefined) return state.fail("not_json", key);
			if (others.has(name)) return state.repeated(name, key);
			others.add(name);
		}
		if (member !== undefined && slots[2 * member.slot] !== -1) return state.repeated(member.name, key);
		const end =
			member?.inside !== undefined && bytes[value] === OPEN_BRACE
				? scanMembers(state, bytes, value, depth + 1, member.inside, slots)
				: skipValue(state, bytes, value, depth + 1);
		if (end === -1) return -1;
		i = skipSpace(bytes, end);
		const after = bytes[i];
		if (after !== CLOSE_BRACE && after !== COMMA) return state.fail("not_json", i);
		// Only now is the value known to end here: a frame that breaks off inside a number must not yield half of it.
		if (member !== undefined) {
			slots[2 * member.slot] = value;
			slots[2 * member.slot + 1] = end;
		}
		if (after === CLOSE_BRACE) return i + 1;
		i = skipSpace(bytes, i + 1);
	}
}

/** The string whose JSON text is at `start` to `end`; undefined when that is no string. */
export function readString(bytes: Buffer, start: number, end: number): string | undefined {
	if (bytes[start] !== QUOTE) return undefined;
	if (isPlain(bytes, start + 1, end - 1)) return bytes.toString("latin1", start + 1, end - 1);
	try {
		return String(JSON.parse(bytes.toString("utf8", start, end)));
	} catch {
		return undefined;
	}
}

function findWanted(bytes: Buffer, key: number, keyEnd: number, wanted: WantedMembers): WantedEntry | undefined {
	const length = keyEnd - key - 2;
	for (const member of wanted.members) {
		if (member.bytes.length === length && startsWith(bytes, key + 1, member.bytes)) return member;
	}
	// `"i\u0064"` also spells the member `id`.
	if (isPlain(bytes, key + 1, keyEnd - 1)) return undefined;
	const name = readString(bytes, key, keyEnd);
	return wanted.members.find((member) => member.name === name);
}

function startsWith(bytes: Buffer, at: number, prefix: Uint8Array): boolean {
	for (let i = 0; i < prefix.length; i++) if (bytes[at + i] !== prefix[i]) return false;
	return true;
}

/** True for printable ASCII without escapes, whose bytes are its characters. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
	for (let i = start; i < end; i++) {
		const c = bytes[i];
		if (c === undefined || c < 0x20 || c > 0x7e || c === BACKSLASH) return false;
	}
	return true;
}

type MemberLookup = { readonly found: Span } | { readonly missing: "absent" | "not_object" | "duplicate" | "not_json" };

/** Finds a nested member by its path without parsing the rest; reports a repeated name. */
export function findMember(frame: Buffer, within: Span, path: readonly string[]): MemberLookup {
	let at = within;
	for (const name of path) {
		const start = skipSpace(frame, at.start);
		if (frame[start] !== OPEN_BRACE) return { missing: "not_object" };
		const slots = new Int32Array(2).fill(-1);
		const state = new ScanState();
		if (scanMembers(state, frame, start, 0, prepareMembers([{ name, slot: 0 }]), slots) === -1) {
			return { missing: state.failure === "duplicate_member" ? "duplicate" : "not_json" };
		}
		const [from = -1, to = -1] = slots;
		if (from === -1) return { missing: "absent" };
		at = { start: from, end: to };
	}
	return { found: at };
}

/** The JSON value at a span; undefined without a span, or when the text turns out not to be JSON. */
export function readSpan(frame: Buffer, span: Span | undefined, reviver?: Reviver): unknown {
	if (span === undefined) return undefined;
	try {
		return JSON.parse(readSpanText(frame, span), reviver);
	} catch {
		return undefined;
	}
}

/** Like `readSpan`, but `JSON.stringify` writes every number of it as it came: `1.0`, or an id beyond 2^53. */
export function readSpanExactly(frame: Buffer, span: Span | undefined): unknown {
	return readSpan(frame, span, (_, value, { source } = {}) =>
		typeof value === "number" && source !== undefined && String(value) !== source ? rawJson(source) : value,
	);
}

export function readSpanText(frame: Buffer, { start, end }: Span): string {
	return frame.toString("utf8", start, end);
}

/** `source`: the text of a value that is neither an object nor an array. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** The items of a frame that is a batch: of a valid JSON array. */
export function splitBatch(frame: Buffer): Buffer[] {
	const items: Buffer[] = [];
	let at = skipSpace(frame, skipSpace(frame, 0) + 1);
	while (at < frame.length && frame[at] !== CLOSE_BRACKET) {
		const end = skipValue(new ScanState(), frame, at, 1);
		if (end === -1) return items;
		items.push(frame.subarray(at, end));
		at = skipSpace(frame, end);
		if (frame[at] === COMMA) at = skipSpace(frame, at + 1);
	}
	return items;
}
