import { Buffer } from "node:buffer";
import {
	DEFAULT_MAX_FRAME_BYTES,
	FrameAssembly,
	type FrameEvent,
	type FrameLimits,
	type FrameReader,
} from "./frame.ts";

type NdjsonOptions = FrameLimits & {
	/** Ignores a byte order mark at the start, which some Windows programs write. */
	readonly skipMark?: boolean;
};

/** Reads one JSON message per line: LF ends it, a CR before the LF is dropped, and blank lines are ignored. */
export class NdjsonReader implements FrameReader {
	readonly #assembly: FrameAssembly;
	#mayHaveMark: boolean;

	constructor({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES, skipMark = false }: NdjsonOptions = {}) {
		this.#assembly = new FrameAssembly(maxFrameBytes);
		this.#mayHaveMark = skipMark;
	}

	get held(): number {
		return this.#assembly.held;
	}

	/** The unfinished frame is over the limit: what was kept of it is not all that was read. */
	get isSkipping(): boolean {
		return this.#assembly.isSkipping;
	}

	push(chunk: Uint8Array): FrameEvent[] {
		const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		const events: FrameEvent[] = [];
		let from = 0;
		for (;;) {
			const newline = bytes.indexOf(NEWLINE, from);
			if (newline === -1) break;
			const event = this.#assembly.finish(bytes, from, newline);
			from = newline + 1;
			const line = event.type === "frame" ? this.#withoutMark(event.bytes) : undefined;
			this.#mayHaveMark = false;
			if (line === undefined) events.push(event);
			else if (!isBlank(line)) events.push({ type: "frame", bytes: withoutReturn(line) });
		}
		if (from < bytes.length) this.#assembly.add(bytes, from, bytes.length);
		return events;
	}

	end(): FrameEvent[] {
		if (this.#assembly.isSkipping) return [this.#assembly.finish(EMPTY, 0, 0)];
		const size = this.#assembly.size;
		const bytes = this.#withoutMark(this.takeResidue());
		return isBlank(bytes) ? [] : [{ type: "residue", bytes, size }];
	}

	takeResidue(): Buffer {
		return this.#assembly.take();
	}

	#withoutMark(line: Buffer): Buffer {
		const hasMark = this.#mayHaveMark && MARK.every((byte, at) => line[at] === byte);
		return hasMark ? line.subarray(MARK.length) : line;
	}
}

const EMPTY = Buffer.alloc(0);
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** U+FEFF in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

function withoutReturn(line: Buffer): Buffer {
	return line[line.length - 1] === RETURN ? line.subarray(0, line.length - 1) : line;
}

function isBlank(line: Buffer): boolean {
	for (const byte of line) if (byte !== RETURN && byte !== 0x20 && byte !== 0x09) return false;
	return true;
}
