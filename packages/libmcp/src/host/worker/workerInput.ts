import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";
import { FrameSink } from "../../wire/frameSink.ts";

const PROBE_MS = 1_000;

/** A worker's standard input. Asks every second whether it is still read, because only a write tells. */
export class WorkerInput {
	readonly #stream: Writable;
	readonly #sink: FrameSink;
	#written = 0;
	/** How much had been written when an empty write last found out whether it is read. */
	#probedAt = 0;

	constructor(stream: Writable) {
		this.#stream = stream;
		this.#sink = new FrameSink(stream);
		// On Windows the reader would take an empty write for the end of its input.
		if (process.platform === "win32") return;
		const timer = setInterval(() => this.#probe(), PROBE_MS);
		timer.unref();
		stream.once("close", () => clearInterval(timer));
	}

	/** Once the stream has closed: whether something was written that the worker cannot have read. */
	get isUnheeded(): boolean {
		return this.#written > this.#probedAt;
	}

	get blocked(): boolean {
		return this.#sink.blocked;
	}

	write(frame: Buffer): void {
		this.#written++;
		this.#sink.write(frame);
	}

	writeMessage(message: unknown): void {
		this.write(Buffer.from(JSON.stringify(message)));
	}

	end(): void {
		this.#sink.flush();
		this.#stream.end();
	}

	/** The other end of a socket that is closed refuses even an empty write. */
	#probe(): void {
		if (this.#sink.buffered > 0 || this.#sink.blocked) return;
		this.#probedAt = this.#written;
		this.#stream.write("");
	}
}
