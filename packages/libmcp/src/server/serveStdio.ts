import type { Readable } from "node:stream";
import { isHosted } from "../environment.ts";
import { watchParent } from "../process/watchParent.ts";
import type { FrameEvent } from "../wire/frame.ts";
import { NdjsonReader } from "../wire/ndjsonReader.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { errorAnswer, type Outlet } from "./outlet.ts";
import { isRecord } from "./protocol.ts";
import { protocolError } from "./rpcErrors.ts";
import { RpcServer, type RpcServerOptions } from "./rpcServer.ts";
import { RpcSession } from "./rpcSession.ts";
import type { DescribeServer, ServerDescription } from "./serverDescription.ts";
import { guardStdout } from "./stdoutGuard.ts";

export type StdioOptions = Omit<RpcServerOptions, "dispatcher"> & {
	/** What `capabilities.tools.listChanged` says; unless told, true under a host, which makes good on it, else false. */
	readonly listChanged?: boolean;
	readonly maxFrameBytes?: number;
	/** How long requests in flight may still answer once the client has closed its end. */
	readonly drainMs?: number;
	/** Streams other than the process's own: standard output is then not guarded and the process is not ended. */
	readonly streams?: { readonly input: Readable; readonly write: (text: string) => unknown };
};

export type StdioServer = {
	notify(method: string, params?: Record<string, unknown>): void;
	/** Asks a client that has shaken hands. */
	request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
	close(): Promise<void>;
	/** Resolves when the conversation is over and every answer is written. */
	readonly closed: Promise<void>;
};

const DRAIN_MS = 2_000;
const ORPHAN_POLL_MS = 1_000;

/** Serves one client on standard input and output, in either era, until it closes its end. */
export function serveStdio(dispatcher: Dispatcher, options: StdioOptions): StdioServer {
	const guard = options.streams === undefined ? guardStdout() : undefined;
	const input = options.streams?.input ?? process.stdin;
	const write = guard?.write ?? options.streams?.write ?? (() => true);
	const line = (text: string): void => void write(`${text}\n`);
	const outlet: Outlet = { emit: line, finish: (answer) => answer !== undefined && line(answer.text) };
	const listChanged = options.listChanged ?? isHosted();
	const server = new RpcServer({
		...options,
		dispatcher,
		description: withListChanged(options.description, listChanged),
	});
	const session = new RpcSession(server, { id: "stdio", outlet });
	const reader = new NdjsonReader(options.maxFrameBytes === undefined ? {} : { maxFrameBytes: options.maxFrameBytes });

	const take = (event: FrameEvent): void => {
		if (event.type === "frame" || event.type === "residue") {
			session.receive(scanEnvelope(event.bytes), event.bytes, outlet);
			return;
		}
		const size = event.type === "oversize" ? `${event.size} bytes` : "unreadable";
		line(
			errorAnswer(undefined, protocolError("FRAME_TOO_LARGE", `the frame is larger than the limit: ${size}`), true)
				.text,
		);
	};
	const onData = (chunk: Uint8Array): void => {
		for (const event of reader.push(chunk)) take(event);
	};

	let closing: Promise<void> | undefined;
	const closed = Promise.withResolvers<void>();
	const close = (drainMs: number): Promise<void> => {
		closing ??= (async () => {
			input.off("data", onData);
			input.pause();
			await session.drain(drainMs);
			session.end("the server is closing");
			stopWatching();
			if (guard !== undefined) await flushed();
			closed.resolve();
		})();
		return closing;
	};
	const onEnd = (): void => {
		for (const event of reader.end()) take(event);
		void close(options.drainMs ?? DRAIN_MS);
	};
	input.on("data", onData);
	input.once("end", onEnd);
	input.once("close", onEnd);
	input.once("error", onEnd);
	const stopWatching = watchParent(() => void close(0), ORPHAN_POLL_MS);
	if (guard !== undefined) {
		// Nobody reads any more: end of the conversation, not of the process by an unhandled error.
		process.stdout.on("error", () => void close(0));
		for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void close(0));
		void closed.promise.then(() => process.exit());
	}
	return {
		notify: (method, params) => session.notify(method, params),
		request: (method, params, signal) => session.request(method, params, signal),
		close: () => close(0),
		closed: closed.promise,
	};
}

function withListChanged(
	description: ServerDescription | DescribeServer,
	listChanged: boolean,
): ServerDescription | DescribeServer {
	const adapt = (plain: ServerDescription): ServerDescription => {
		const { tools } = plain.capabilities;
		if (!isRecord(tools)) return plain;
		return { ...plain, capabilities: { ...plain.capabilities, tools: { ...tools, listChanged } } };
	};
	if (typeof description !== "function") return adapt(description);
	return async (about) => adapt(await description(about));
}

function flushed(): Promise<void> {
	return new Promise((resolve) => {
		if (process.stdout.writableLength === 0 || process.stdout.destroyed) resolve();
		else process.stdout.once("drain", resolve).once("error", () => resolve());
	});
}
