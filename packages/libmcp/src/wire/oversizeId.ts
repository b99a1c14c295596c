import { Buffer } from "node:buffer";
import type { FrameEvent } from "./frame.ts";
import { ScanState, skipSpace } from "./jsonSkip.ts";
import { prepareMembers, scanMembers } from "./members.ts";
import type { RequestId } from "./requestId.ts";
import { findLastId, scanEnvelope } from "./scanEnvelope.ts";

/** The two ends of a frame that was not read whole. */
type FrameEnds = Pick<Extract<FrameEvent, { type: "oversize" }>, "head" | "tail">;

/**
 * The id of a skipped frame, from its two ends: a member `id` before anything nested in the head, or the last member in
 * the tail. Undefined when neither end has it, as when the id is between two large members.
 */
export function readOversizeId({ head, tail }: FrameEnds): RequestId | undefined {
	return headId(head) ?? findLastId(tail);
}

/** Whether the skipped frame names a method, as far as its ends show, and so is no answer. */
export function hasOversizeMethod({ head, tail }: FrameEnds): boolean {
	const slots = new Int32Array(2).fill(-1);
	const closed = Buffer.concat([head, BREAK]);
	scanMembers(new ScanState(), closed, skipSpace(closed, 0), 0, METHOD, slots);
	return slots[0] !== -1 || LAST_METHOD.test(tail.toString("latin1"));
}

/** Whether the skipped line was a message at all: a program may print other text of that size. */
export function isOversizeMessage({ head, tail }: FrameEnds): boolean {
	return head.includes(JSONRPC) || tail.includes(JSONRPC);
}

const JSONRPC = '"jsonrpc"';
const METHOD = prepareMembers([{ name: "method", slot: 0 }]);
// No JSON value ends at a NUL, so the scan stops there.
const BREAK = Buffer.from("\0}");
const LAST_METHOD = /,\s*"method"\s*:\s*"[^"\\]*"\s*(?:,\s*"id"\s*:\s*[^,{}]*)?\}\s*$/;

/** Scans a frame that breaks off: the scan fails, but keeps an id that it has passed. */
function headId(head: Buffer): RequestId | undefined {
	const scanned = scanEnvelope(Buffer.concat([wholeCharacters(head), BREAK]));
	return scanned.kind === "invalid" ? (scanned.id ?? scanned.answers) : undefined;
}

/** Drops the incomplete character at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
	let end = bytes.length;
	while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
	return bytes.subarray(0, ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0 ? end - 1 : end);
}
