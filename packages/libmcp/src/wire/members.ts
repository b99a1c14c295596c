import type { Buffer } from "node:buffer";
import {
	BACKSLASH,
	CLOSE_BRACE,
	COMMA,
	MAX_DEPTH,
	OPEN_BRACE,
	QUOTE,
	type ScanState,
	skipColon,
	skipSpace,
	skipString,
	skipValue,
} from "./jsonSkip.ts";

/** A member to look for: where its span goes, and what to look for inside it when it is an object. */
export type WantedMember = { readonly name: string; readonly slot: number; readonly inside?: WantedMembers };
export type WantedMembers = {
	readonly members: readonly WantedEntry[];
	/** Whether repeated names are refused for all members, not only the wanted ones. */
	readonly distinct: boolean;
};

type WantedEntry = WantedMember & { readonly bytes: Uint8Array };

export function wantedMembers(members: readonly WantedMember[], distinct = false): WantedMembers {
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
