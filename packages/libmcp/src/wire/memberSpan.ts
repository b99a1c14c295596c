import type { Buffer } from "node:buffer";
import type { Span } from "./envelope.ts";
import { OPEN_BRACE, ScanState, skipSpace } from "./jsonSkip.ts";
import { scanMembers, wantedMembers } from "./members.ts";

export type MemberLookup =
	| { readonly found: Span }
	| { readonly missing: "absent" | "not_object" | "duplicate" | "not_json" };

/** Finds a nested member by its path without parsing the rest; reports a repeated name. */
export function memberSpan(frame: Buffer, within: Span, path: readonly string[]): MemberLookup {
	let at = within;
	for (const name of path) {
		const start = skipSpace(frame, at.start);
		if (frame[start] !== OPEN_BRACE) return { missing: "not_object" };
		const slots = new Int32Array(2).fill(-1);
		const state = new ScanState();
		if (scanMembers(state, frame, start, 0, wantedMembers([{ name, slot: 0 }]), slots) === -1) {
			return { missing: state.failure === "duplicate_member" ? "duplicate" : "not_json" };
		}
		const [from = -1, to = -1] = slots;
		if (from === -1) return { missing: "absent" };
		at = { start: from, end: to };
	}
	return { found: at };
}
