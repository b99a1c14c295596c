import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { findSystemError } from "../failure/failure.ts";
import { type EventReader, OversizeError, type ServerEvent } from "./eventReader.ts";

/** The Accept-Encoding value for what `plain` can decompress. */
export const ENCODINGS = "gzip, deflate, br";

/** What the answer says that it is, without parameters such as the character set. */
export function readMediaType({ headers }: IncomingMessage): string | undefined {
	return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
}

/** A whole body as text, without a byte order mark; one over the limit is cut off and the connection with it. */
export function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	return readToEnd(response, (chunk: Buffer) => {
		size += chunk.length;
		if (size > maxBytes) throw new OversizeError(maxBytes);
		chunks.push(chunk);
	}).then(() => withoutMark(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()));
}

function withoutMark(text: string): string {
	return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Every event of a stream as it comes, until the stream ends. */
export function readEvents(
	response: IncomingMessage,
	reader: EventReader,
	onEvent: (event: ServerEvent) => void,
): Promise<void> {
	const decoder = new TextDecoder();
	return readToEnd(response, (chunk: Buffer) => {
		for (const event of reader.push(decoder.decode(chunk, { stream: true }))) onEvent(event);
	});
}

/** Drops a body; a short one is read to the end so that the socket can be reused. */
export function discardBody(response: IncomingMessage): void {
	readText(response, MOST_DISCARDED).catch(() => {});
}

const MOST_DISCARDED = 64_000;

function readToEnd(response: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<void> {
	return new Promise((resolve, reject) => {
		const body = plain(response);
		body.on("data", (chunk: Buffer) => {
			try {
				onChunk(chunk);
			} catch (thrown) {
				reject(thrown);
				response.destroy();
			}
		});
		body.once("end", resolve);
		body.once("error", (error) => {
			const isUnpacking = body !== response && findSystemError(error) === undefined;
			reject(isUnpacking ? new SyntaxError(`the answer cannot be unpacked: ${error.message}`) : error);
		});
		body.once("close", () => {
			if (!body.readableEnded) reject(brokenOff());
		});
	});
}

function plain(response: IncomingMessage): Readable {
	const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
	if (encoding === "" || encoding === "identity") return response;
	const unpacker = UNPACKERS.get(encoding)?.();
	if (unpacker === undefined) {
		const unknown = new SyntaxError(`content-encoding: expected one of ${ENCODINGS}, got ${JSON.stringify(encoding)}`);
		return response.destroy(unknown);
	}
	return pipeline(response, unpacker, () => {});
}

const UNPACKERS = new Map<string, () => ReturnType<typeof createGunzip>>([
	["gzip", createGunzip],
	// The older name, which must still be taken for the same.
	["x-gzip", createGunzip],
	["deflate", createInflate],
	["br", createBrotliDecompress],
]);

function brokenOff(): Error {
	return Object.assign(new Error("the answer broke off"), { code: "ECONNRESET" });
}
