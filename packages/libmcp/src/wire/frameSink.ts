import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { writePieces } from "./encodeFrame.ts";

/**
 * Writes NDJSON frames to a stream and joins those of one turn of the event loop. Frames that lie side by side in the
 * chunk they came in leave as one slice of it, so forwarding copies nothing.
 */
export class FrameSink {
	readonly #stream: Writable;
	#pieces: Buffer[] = [];
	#bytes = 0;
	readonly #onBlocked: () => void;

	/** `onBlocked` is called when the reader does not keep up; the stream's `drain` event tells when it reads again. */
	constructor(stream: Writable, onBlocked: () => void = () => {}) {
		this.#stream = stream;
		this.#onBlocked = onBlocked;
	}

	/** True when nothing more should be written now: the reader does not keep up, or is gone. */
	get blocked(): boolean {
		const { writableNeedDrain, writableEnded, destroyed } = this.#stream;
		return writableNeedDrain || writableEnded || destroyed;
	}

	/** Bytes accepted here and not yet handed to the system. */
	get buffered(): number {
		return this.#bytes + this.#stream.writableLength;
	}

	/** Writes one message, given as JSON bytes without a newline. */
	write(frame: Buffer): void {
		const line = withNewline(frame);
		this.#bytes += line.length;
		const last = this.#pieces.at(-1);
		if (last === undefined) queueMicrotask(() => this.flush());
		if (last !== undefined && last.buffer === line.buffer && last.byteOffset + last.length === line.byteOffset) {
			this.#pieces[this.#pieces.length - 1] = Buffer.from(line.buffer, last.byteOffset, last.length + line.length);
		} else {
			this.#pieces.push(line);
		}
		if (this.#bytes > FLUSH_ABOVE) this.flush();
	}

	writeMessage(message: unknown): void {
		this.write(Buffer.from(JSON.stringify(message)));
	}

	flush(): void {
		if (this.#pieces.length === 0) return;
		const pieces = this.#pieces;
		const small = pieces.length > 1 && this.#bytes <= COPY_BELOW;
		this.#pieces = [];
		this.#bytes = 0;
		if (this.#stream.destroyed || this.#stream.writableEnded) return;
		if (!writePieces(this.#stream, small ? [Buffer.concat(pieces)] : pieces)) this.#onBlocked();
	}

	/** True once everything is handed to the system or the stream is gone; false when the reader has stalled. */
	async drained(): Promise<boolean> {
		this.flush();
		const stream = this.#stream;
		if (stream.destroyed || stream.writableEnded || stream.writableLength === 0) return true;
		const over = new Promise<true>((resolve) => {
			stream.write("", () => resolve(true));
			stream.once("close", () => resolve(true));
			stream.once("error", () => resolve(true));
		});
		for (let left = Number.POSITIVE_INFINITY; stream.writableLength < left; ) {
			left = stream.writableLength;
			if (await Promise.race([over, delay(STALLED_MS, false)])) return true;
		}
		return false;
	}
}

/** A reader that takes nothing for this long counts as stalled. */
const STALLED_MS = 1_000;
const FLUSH_ABOVE = 256 * 1024;
// Below this size, copying is cheaper than a vectored write.
const COPY_BELOW = 16 * 1024;
const NEWLINE = 0x0a;

/**
 * Usually the frame's own newline still follows it in the chunk it came in, so one slice holds both. Not so in Node's
 * shared pool: the bytes after the frame belong to another buffer and may change before we write.
 */
function withNewline(frame: Buffer): Buffer {
	const after = frame.byteOffset + frame.length;
	const pooled = frame.buffer.byteLength === Buffer.poolSize;
	if (!pooled && after < frame.buffer.byteLength) {
		const longer = Buffer.from(frame.buffer, frame.byteOffset, frame.length + 1);
		if (longer[frame.length] === NEWLINE) return longer;
	}
	const line = Buffer.allocUnsafe(frame.length + 1);
	frame.copy(line);
	line[frame.length] = NEWLINE;
	return line;
}
