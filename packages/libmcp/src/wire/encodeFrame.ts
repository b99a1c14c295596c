import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";
import type { Span } from "./envelope.ts";
import type { RequestId } from "./requestId.ts";

/** How a stream separates its messages. */
export type Framing = "ndjson" | "content-length";

/** A message as the bytes to write, in one piece. `JSON.stringify` writes no newlines, so NDJSON needs no escaping. */
export function encodeFrame(message: unknown, framing: Framing = "ndjson"): Buffer {
	const text = JSON.stringify(message);
	if (framing === "ndjson") return Buffer.from(`${text}\n`);
	return Buffer.from(`${contentLengthHeader(Buffer.byteLength(text))}${text}`);
}

/** The pieces to write for a payload that is already JSON bytes. */
export function splitFrame(payload: readonly Uint8Array[], framing: Framing = "ndjson"): Uint8Array[] {
	if (framing === "ndjson") return [...payload, NEWLINE];
	const length = payload.reduce((sum, piece) => sum + piece.length, 0);
	return [Buffer.from(contentLengthHeader(length)), ...payload];
}

/** Writes the pieces of a frame together; false when the stream asks to wait for `drain`. */
export function writePieces(stream: Writable, pieces: readonly Uint8Array[]): boolean {
	const [first] = pieces;
	if (pieces.length === 1 && first !== undefined) return stream.write(first);
	stream.cork();
	let more = true;
	for (const piece of pieces) more = stream.write(piece);
	stream.uncork();
	return more;
}

const NEWLINE = Buffer.from("\n");

function contentLengthHeader(length: number): string {
	return `Content-Length: ${length}\r\n\r\n`;
}

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
	whole[whole.length - 1] = NEWLINE_BYTE;
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
	const framed = splitFrame(pieces, framing);
	return frame.length > COPY_BELOW ? framed : [Buffer.concat(framed)];
}

export type SpanEdit = { readonly span: Span; readonly text: string };

const NEWLINE_BYTE = 0x0a;
// Below this size, one copy is cheaper than a vectored write of several pieces.
const COPY_BELOW = 65_536;

/** Replaces spans of a frame. The result's buffer also holds a newline after it, so that the sink need not add one. */
export function applyEdits(frame: Buffer, edits: readonly SpanEdit[]): Buffer {
	return Buffer.concat(spliceSpans(frame, edits)).subarray(0, -1);
}

export function replaceId(frame: Buffer, idSpan: Span, id: RequestId): Buffer {
	return applyEdits(frame, [{ span: idSpan, text: id }]);
}
