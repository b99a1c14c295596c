import { Buffer } from "node:buffer";
import type { FrameEvent } from "./frame.ts";
import { parseRequestId, type RequestId } from "./requestId.ts";
import { scanEnvelope } from "./scanEnvelope.ts";

/**
 * Whose frame was skipped, from its two ends: a member `id` before anything nested in the head, or as the very last
 * member in the tail. Undefined when neither end tells; a frame with its id in the middle of two large members stays anonymous.
 */
export function oversizeId(event: Extract<FrameEvent, { type: "oversize" }>): RequestId | undefined {
	return headId(event.head) ?? tailId(event.tail);
}

/** Scans a frame that breaks off: the scan fails, but keeps an id it has passed. */
function headId(head: Buffer): RequestId | undefined {
	const scanned = scanEnvelope(wholeCharacters(head));
	return scanned.kind === "invalid" ? scanned.id : undefined;
}

function tailId(tail: Buffer): RequestId | undefined {
	// The last brace closes the message itself, so a scalar member right before it belongs to the envelope.
	const text = /,\s*"id"\s*:\s*(-?[\d.eE+-]+|"(?:[^"\\]|\\.)*")\s*\}\s*$/.exec(tail.toString("latin1"))?.[1];
	return text === undefined ? undefined : parseRequestId(Buffer.from(text, "latin1").toString());
}

/** Drops a character cut in half at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
	let end = bytes.length;
	while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
	return bytes.subarray(0, ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0 ? end - 1 : end);
}
