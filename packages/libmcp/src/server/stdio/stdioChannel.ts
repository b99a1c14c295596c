import type { Buffer } from "node:buffer";
import { type Readable, Writable } from "node:stream";
import { END_OF_INPUT_MS, TOLD_MS } from "../../admission/deadline.ts";
import { isHosted } from "../../environment.ts";
import { endProcess, openStderr, watchParent } from "../../process/ownProcess.ts";
import type { FrameEvent } from "../../wire/frame.ts";
import { NdjsonReader } from "../../wire/ndjsonReader.ts";
import { hasOversizeMethod, readOversizeId } from "../../wire/oversizeId.ts";
import { refusalAnswer } from "../protocol/outlet.ts";
import { protocolError } from "../protocol/rpcErrors.ts";

export type ChannelOptions = {
	readonly maxFrameBytes?: number;
	/** How long requests in flight may still be answered after the client has closed its end. */
	readonly drainMs?: number;
	/** Streams to use instead of the process's own; stdout is then not guarded, and the process does not end. */
	readonly streams?: {
		readonly input: Readable;
		readonly write: (text: string) => unknown;
		/** The stream behind `write`; input is not read while it is blocked. */
		readonly output?: Writable;
	};
};

/** Handles the messages of a channel. */
type Listener = {
	receive(frame: Buffer): void;
	/** Waits for requests in flight until `isOver`, then ends the session. */
	end(isOver: () => boolean): Promise<void>;
};

/** A client on standard input and output. */
type StdioChannel = {
	/** Writes one message. */
	line(text: string): void;
	/** Reads until the client closes its end or dies, or the process gets a signal to stop. */
	listen(listener: Listener): { close(): Promise<void>; readonly closed: Promise<void> };
};

/** While more output than this is unread, the client's input is not read either. */
const DEAF_ABOVE = 4 * 1024 * 1024;
/** After the drain of a server that is told to end, how long to wait for the client to read its last answers. */
const LAST_WORDS_MS = 500;

export function stdioChannel({ streams, maxFrameBytes, drainMs = END_OF_INPUT_MS }: ChannelOptions): StdioChannel {
	const input = streams?.input ?? process.stdin;
	const write = streams?.write ?? guardStdout().write;
	const line = lineWriter(write, streams === undefined ? process.stdout : streams.output, input);
	return {
		line,
		listen(listener) {
			const reader = new NdjsonReader({ skipMark: true, ...(maxFrameBytes === undefined ? {} : { maxFrameBytes }) });
			const take = (event: FrameEvent): void => {
				if (event.type === "frame" || event.type === "residue") listener.receive(event.bytes);
				else line(tooLarge(event));
			};
			const onData = (chunk: Uint8Array): void => {
				for (const event of reader.push(chunk)) take(event);
			};
			let closing: Promise<void> | undefined;
			let deadline = Number.POSITIVE_INFINITY;
			const drained = Promise.withResolvers<void>();
			const closed = Promise.withResolvers<void>();
			const hurried = Promise.withResolvers<void>();
			const close = (waitMs: number): Promise<void> => {
				deadline = Math.min(deadline, performance.now() + waitMs);
				closing ??= (async () => {
					input.off("data", onData);
					input.pause();
					await listener.end(() => performance.now() >= deadline);
					drained.resolve();
					if (streams === undefined) await Promise.race([flushStdout(), hurried.promise]);
					stopWatching();
					closed.resolve();
				})();
				return closing;
			};
			const hurry = (waitMs: number): Promise<void> => {
				if (streams === undefined) void drained.promise.then(() => setTimeout(hurried.resolve, LAST_WORDS_MS));
				return close(waitMs);
			};
			// A host ends its workers when their calls are over, or have run too long.
			const told = (): Promise<void> => hurry(isHosted() ? 0 : TOLD_MS);
			const onEnd = (): void => {
				for (const event of reader.end()) take(event);
				void close(drainMs);
			};
			input.on("data", onData);
			input.once("end", onEnd).once("close", onEnd).once("error", onEnd);
			const stopWatching = watchParent(() => void hurry(0));
			if (streams === undefined) {
				// Nobody reads any more, so end the connection; without a listener the error would crash the process.
				process.stdout.on("error", () => void hurry(0));
				// Not `once`: a second signal would end the process before its calls are answered.
				for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void told());
				void closed.promise.then(() => endProcess());
			}
			return { close: told, closed: closed.promise };
		},
	};
}

/** Writes one message per line. Stops reading a client that does not read its output. */
function lineWriter(
	write: (text: string) => unknown,
	output: Writable | undefined,
	input: Readable,
): (text: string) => void {
	let deaf = false;
	return (text) => {
		write(`${text}\n`);
		if (output === undefined || deaf || output.writableLength <= DEAF_ABOVE) return;
		deaf = true;
		input.pause();
		output.once("drain", () => {
			deaf = false;
			input.resume();
		});
	};
}

function tooLarge(event: Extract<FrameEvent, { type: "oversize" | "bad-header" }>): string {
	const size = event.type === "oversize" ? `${event.size} bytes` : "unreadable";
	const id = event.type === "oversize" && hasOversizeMethod(event) ? readOversizeId(event) : undefined;
	return refusalAnswer(id, protocolError("FRAME_TOO_LARGE", `the frame is larger than the limit: ${size}`)).text;
}

/** Reserves stdout for the protocol: all other output goes to stderr. The returned object undoes it. */
export function guardStdout(): {
	readonly write: (bytes: string | Uint8Array) => boolean;
	readonly release: () => void;
} {
	const { stdout } = process;
	const own = stdout.write;
	// The console writes through this too.
	const stray: typeof own = (...given: unknown[]) => {
		const stderr = openStderr();
		return Reflect.apply(stderr.write, stderr, given);
	};
	stdout.write = stray;
	return {
		write: (bytes) => own.call(stdout, bytes),
		release: () => {
			if (stdout.write === stray) stdout.write = own;
		},
	};
}

/** Resolves when the reader of stdout has received everything or is gone, or when the time is up. */
export function flushStdout(withinMs?: number): Promise<void> {
	const { stdout } = process;
	return new Promise((resolve) => {
		if (stdout.writableLength === 0 || stdout.destroyed) return resolve();
		// Below the high-water mark there is no `drain` event. The guard may have replaced `stdout.write`.
		Writable.prototype.write.call(stdout, "", "utf8", () => resolve());
		stdout.once("error", () => resolve());
		if (withinMs !== undefined) setTimeout(resolve, withinMs);
	});
}
