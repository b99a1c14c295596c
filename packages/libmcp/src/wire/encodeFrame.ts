import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";

/** How messages are told apart on a stream. */
export type Framing = "ndjson" | "content-length";

/** A message as the bytes to write, in one piece. The JSON holds no newline, so NDJSON needs no escaping of its own. */
export function encodeFrame(message: unknown, framing: Framing = "ndjson"): Buffer {
	const text = JSON.stringify(message);
	if (framing === "ndjson") return Buffer.from(`${text}\n`);
	return Buffer.from(`${contentLengthHeader(Buffer.byteLength(text))}${text}`);
}

/** A payload that is JSON bytes already, as the pieces to write. */
export function framePieces(payload: readonly Uint8Array[], framing: Framing = "ndjson"): Uint8Array[] {
	if (framing === "ndjson") return [...payload, NEWLINE];
	const length = payload.reduce((sum, piece) => sum + piece.length, 0);
	return [Buffer.from(contentLengthHeader(length)), ...payload];
}

/** Writes the pieces of a frame together; false when the stream asks its writer to wait for `drain`. */
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
