import { PassThrough } from "node:stream";
import { NdjsonReader } from "../wire/ndjsonReader.ts";
import { type Host, host } from "./host.ts";
import type { HostOptions } from "./options.ts";

/** What the SDK's clients connect to; structurally the SDK's own `Transport`, without importing it. */
export type HostedTransport<Message> = {
	/** The host behind the transport; there from `start` on. */
	readonly host: Host | undefined;
	start(): Promise<void>;
	send(message: Message): Promise<void>;
	close(): Promise<void>;
	onmessage?: ((message: Message) => void) | undefined;
	onclose?: (() => void) | undefined;
	onerror?: ((error: Error) => void) | undefined;
};

/**
 * A client transport in this process whose far end is a stdio server under a host: the client object keeps its
 * connection through the server's crashes and upgrades.
 */
export function hostedTransport<Message>(options: Omit<HostOptions, "client">): HostedTransport<Message> {
	const toHost = new PassThrough();
	const fromHost = new PassThrough();
	const reader = new NdjsonReader(
		options.maxFrameBytes === undefined ? {} : { maxFrameBytes: 2 * options.maxFrameBytes },
	);
	let running: Host | undefined;
	const transport: HostedTransport<Message> = {
		get host() {
			return running;
		},
		async start() {
			if (running !== undefined) throw new Error("the transport has been started before");
			fromHost.on("data", (chunk: Buffer) => {
				for (const event of reader.push(chunk)) if (event.type === "frame") deliver(transport, event.bytes);
			});
			running = host({ ...options, client: { input: toHost, output: fromHost } });
			void running.closed.then(() => transport.onclose?.());
		},
		async send(message) {
			if (running === undefined || toHost.writableEnded) throw new Error("the transport is not open");
			if (toHost.write(`${JSON.stringify(message)}\n`)) return;
			await new Promise((resolve) => toHost.once("drain", resolve));
		},
		async close() {
			if (running === undefined) return;
			toHost.end();
			await running.close();
		},
	};
	return transport;
}

function deliver<Message>(transport: HostedTransport<Message>, bytes: Buffer): void {
	try {
		// The host lets only whole JSON-RPC messages through, which is what the SDK's message type stands for.
		transport.onmessage?.(JSON.parse(bytes.toString()) as Message);
	} catch (error) {
		transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
	}
}
