import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";

/** How a stream separates its messages. */
export type Framing = "ndjson" | "content-length";

/** A message as the bytes to write, in one piece. `JSON.stringify` writes no newlines, so NDJSON needs no escaping. */
export function encodeFrame(message: unknown, framing: Framing = "ndjson"): Buffer {
	const text = JSON.stringify(message);
	if (framing === "ndjson") return Buffer.from(`${text}\n`);
	return Buffer.from(`${contentLengthHeader(Buffer.byteLength(text))}${text}`);
}

/** The pieces to write for a payload that is already JSON bytes. */
export function framePieces(payload: readonly Uint8Array[], framing: Framing = "ndjson"): Uint8Array[] {
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
