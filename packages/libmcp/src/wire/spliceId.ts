import { Buffer } from "node:buffer";
import { type Framing, framePieces } from "./encodeFrame.ts";
import type { Span } from "./envelope.ts";
import type { RequestId } from "./requestId.ts";

/** The frame with another id, framed and ready to write; every other byte stays the same. */
export function spliceId(frame: Buffer, idSpan: Span, id: RequestId, framing: Framing = "ndjson"): Uint8Array[] {
	if (framing !== "ndjson" || frame.length > COPY_BELOW)
		return spliceSpans(frame, [{ span: idSpan, text: id }], framing);
	const idBytes = Buffer.byteLength(id);
	const tail = idSpan.start + idBytes;
	const whole = Buffer.allocUnsafe(frame.length - (idSpan.end - idSpan.start) + idBytes + 1);
	frame.copy(whole, 0, 0, idSpan.start);
	whole.write(id, idSpan.start);
	frame.copy(whole, tail, idSpan.end);
	whole[whole.length - 1] = NEWLINE;
	return [whole];
}

/** Replaces several spans at once, for a frame whose progress token changes together with its id. */
export function spliceSpans(frame: Buffer, edits: readonly SpanEdit[], framing: Framing = "ndjson"): Uint8Array[] {
	const pieces: Buffer[] = [];
	let from = 0;
	for (const { span, text } of edits.toSorted((a, b) => a.span.start - b.span.start)) {
		if (span.start < from) throw new RangeError(`edit at byte ${span.start} overlaps the one before it`);
		pieces.push(frame.subarray(from, span.start), Buffer.from(text));
		from = span.end;
	}
	pieces.push(frame.subarray(from));
	const framed = framePieces(pieces, framing);
	return frame.length > COPY_BELOW ? framed : [Buffer.concat(framed)];
}

export type SpanEdit = { readonly span: Span; readonly text: string };

const NEWLINE = 0x0a;
// Below this size, one copy is cheaper than a vectored write of several pieces.
const COPY_BELOW = 65_536;
