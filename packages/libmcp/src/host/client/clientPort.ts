import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { FaultResponse } from "../../fault/faultResponse.ts";
import { readErrorCode } from "../../fault/thrown.ts";
import type { Envelope } from "../../wire/envelope.ts";
import type { FrameEvent } from "../../wire/frame.ts";
import { FrameSink } from "../../wire/frameSink.ts";
import { NdjsonReader } from "../../wire/ndjsonReader.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import type { ClientStreams } from "../settings/options.ts";

export type ClientEvents = {
	message(frame: Buffer, envelope: Envelope): void;
	oversize(event: Extract<FrameEvent, { type: "oversize" }>): void;
	/** The client reads more slowly than it is sent messages. */
	blocked(): void;
	/** The client reads again. */
	writable(): void;
	/** No more messages will come: the input has ended, or nobody is left to read the output. */
	ended(): void;
};

/** The connection to a client; only the port writes to it. */
export type Port = Pick<
	ClientPort,
	"start" | "listen" | "send" | "notify" | "deserted" | "drained" | "isSkipping" | "stop"
>;

/** While more output than this is unread, the client's input is not read either. */
const DEAF_ABOVE = 16 * 1024 * 1024;

/** The client's input and output streams. */
export class ClientPort {
	readonly #streams: ClientStreams;
	readonly #reader: NdjsonReader;
	readonly #sink: FrameSink;
	#events: ClientEvents | undefined;
	#reading: boolean = false;

	constructor(streams: ClientStreams, maxFrameBytes: number) {
		this.#streams = streams;
		this.#reader = new NdjsonReader({ maxFrameBytes, skipMark: true });
		this.#sink = new FrameSink(streams.output, () => this.#events?.blocked());
	}

	start(events: ClientEvents, unread: Buffer): void {
		this.#events = events;
		const { input, output } = this.#streams;
		input.on("end", this.#onEnd);
		input.on("close", this.#onEnd);
		input.on("error", this.#onEnd);
		output.on("error", this.#onEnd);
		output.on("close", this.#onEnd);
		output.on("drain", () => {
			if (this.#reading) input.resume();
			events.writable();
		});
		this.listen(unread);
	}

	/** `unread`: bytes that were received before and not processed yet; they are read first. */
	listen(unread: Buffer): void {
		this.#reading = true;
		if (unread.length > 0) this.#push(unread);
		this.#streams.input.on("data", this.#onData);
		this.#streams.input.resume();
	}

	send(frame: Buffer): void {
		this.#sink.write(frame);
		if (this.#sink.buffered > DEAF_ABOVE) this.#streams.input.pause();
	}

	notify(method: string, params?: Record<string, unknown>): void {
		this.#sink.writeMessage(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params });
	}

	/** True when nobody is left to read what is sent. */
	deserted(): boolean {
		const { output } = this.#streams;
		if (output.destroyed || output.errored != null) return true;
		return "fd" in output && typeof output.fd === "number" && hasNoReader(output.fd);
	}

	drained(): Promise<boolean> {
		return this.#sink.drained();
	}

	/** True in the middle of a message over the limit, whose beginning is not kept for another reader. */
	get isSkipping(): boolean {
		return this.#reader.isSkipping;
	}

	/** Stops listening and returns the bytes of an unfinished message. */
	stop(): Buffer {
		const { input } = this.#streams;
		this.#reading = false;
		input.off("data", this.#onData);
		input.pause();
		const buffered: unknown = input.read();
		const residue = this.#reader.takeResidue();
		return Buffer.isBuffer(buffered) ? Buffer.concat([residue, buffered]) : residue;
	}

	#onData = (chunk: Buffer): void => this.#push(chunk);

	/** The last message may lack its newline. */
	#onEnd = (): void => {
		const events = this.#events;
		for (const event of this.#reader.end()) this.#take(event);
		this.#events = undefined;
		events?.ended();
	};

	#push(chunk: Buffer): void {
		for (const event of this.#reader.push(chunk)) this.#take(event);
	}

	#take(event: FrameEvent): void {
		if (event.type === "oversize") this.#events?.oversize(event);
		else if (event.type !== "bad-header") this.#events?.message(event.bytes, scanEnvelope(event.bytes));
	}
}

/** A response as bytes; the id keeps the client's exact spelling. */
export function encodeResult(id: RequestId, result: unknown): Buffer {
	return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);
}

export function encodeError(
	id: RequestId | undefined,
	error: Omit<FaultResponse, "data"> & { data?: unknown },
): Buffer {
	return Buffer.from(`{"jsonrpc":"2.0","id":${id ?? "null"},"error":${JSON.stringify(error)}}`);
}

/** Whether the other end of a stream is closed. False where only a write could tell: for pipes, except on Linux. */
function hasNoReader(fd: number): boolean {
	try {
		// An empty write sends nothing, but a socket whose other end is closed refuses even that.
		writeSync(fd, "");
		// A pipe accepts the empty write, but without a reader it cannot be opened for writing.
		if (process.platform === "linux" && fstatSync(fd).isFIFO())
			closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
		return false;
	} catch (error) {
		const code = readErrorCode(error);
		return code === "EPIPE" || code === "ENXIO";
	}
}
