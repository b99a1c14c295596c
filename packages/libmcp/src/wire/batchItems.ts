import type { Buffer } from "node:buffer";
import { CLOSE_BRACKET, COMMA, ScanState, skipSpace, skipValue } from "./jsonSkip.ts";

/** The items of a frame that is a batch: of a valid JSON array. */
export function batchItems(frame: Buffer): Buffer[] {
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
