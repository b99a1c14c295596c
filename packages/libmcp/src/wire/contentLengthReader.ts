import { Buffer } from "node:buffer";
import {
	DEFAULT_MAX_FRAME_BYTES,
	FrameAssembly,
	type FrameEvent,
	type FrameLimits,
	type FrameReader,
} from "./frame.ts";

/** A header block longer than this counts as garbage. */
const MAX_HEADER_BYTES = 8192;

/** Reads frames of a `Content-Length: n` header (others are ignored), a blank line, then n bytes. */
export class ContentLengthReader implements FrameReader {
	readonly #header: FrameAssembly = new FrameAssembly(MAX_HEADER_BYTES);
	readonly #body: FrameAssembly;
	/** Bytes of the body still to come; undefined while reading a header. */
	#missing: number | undefined = undefined;
	#headerBytes: Buffer = EMPTY;
	#length: number | undefined = undefined;
	#badHeader: Buffer | undefined = undefined;

	constructor({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: FrameLimits = {}) {
		this.#body = new FrameAssembly(maxFrameBytes);
	}

	get held(): number {
		return this.#headerBytes.length + this.#header.held + this.#body.held;
	}

	push(chunk: Uint8Array): FrameEvent[] {
		const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		const events: FrameEvent[] = [];
		let from = 0;
		while (from < bytes.length) {
			from = this.#missing === undefined ? this.#readHeader(bytes, from, events) : this.#readBody(bytes, from, events);
		}
		return events;
	}

	end(): FrameEvent[] {
		const size = this.#headerBytes.length + this.#header.size + this.#body.size;
		const bytes = this.takeResidue();
		return bytes.length === 0 ? [] : [{ type: "residue", bytes, size }];
	}

	takeResidue(): Buffer {
		const bytes = Buffer.concat([this.#headerBytes, this.#header.take(), this.#body.take()]);
		this.#startOver();
		this.#missing = undefined;
		return bytes;
	}

	#readHeader(bytes: Buffer, from: number, events: FrameEvent[]): number {
		const newline = bytes.indexOf(NEWLINE, from);
		if (newline === -1) {
			this.#header.add(bytes, from, bytes.length);
			return bytes.length;
		}
		const line = this.#header.finish(bytes, from, newline + 1);
		if (line.type !== "frame") this.#badHeader ??= line.type === "oversize" ? line.head : EMPTY;
		else this.#takeHeaderLine(line.bytes, events);
		return newline + 1;
	}

	#takeHeaderLine(line: Buffer, events: FrameEvent[]): void {
		const text = line.toString("latin1").trim();
		if (text !== "") {
			if (this.#headerBytes.length + line.length > MAX_HEADER_BYTES) this.#badHeader ??= this.#headerBytes;
			else this.#headerBytes = Buffer.concat([this.#headerBytes, line]);
			const value = /^content-length\s*:\s*(.*)$/i.exec(text)?.[1];
			if (value === undefined) return;
			// Two lengths, or a length that is not a plain number, would be ambiguous.
			if (this.#length !== undefined || !/^\d{1,15}$/.test(value)) this.#badHeader ??= this.#headerBytes;
			else this.#length = Number(value);
			return;
		}
		if (this.#headerBytes.length === 0 && this.#badHeader === undefined) return;
		if (this.#badHeader === undefined && this.#length !== undefined && this.#length > 0) {
			this.#missing = this.#length;
			return;
		}
		// A length of 0 is an empty frame and is ignored, like a blank line.
		if (this.#length !== 0) events.push({ type: "bad-header", header: this.#badHeader ?? this.#headerBytes });
		this.#startOver();
	}

	#readBody(bytes: Buffer, from: number, events: FrameEvent[]): number {
		const missing = this.#missing ?? 0;
		const to = Math.min(bytes.length, from + missing);
		this.#missing = missing - (to - from);
		if (this.#missing > 0) this.#body.add(bytes, from, to);
		else {
			events.push(this.#body.finish(bytes, from, to));
			this.#startOver();
			this.#missing = undefined;
		}
		return to;
	}

	#startOver(): void {
		this.#headerBytes = EMPTY;
		this.#length = undefined;
		this.#badHeader = undefined;
	}
}

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);
