import { Buffer } from "node:buffer";
import { createFaultResponse } from "../fault/faultResponse.ts";
import { makeFault } from "../fault/faultTable.ts";
import { toError } from "../fault/thrown.ts";
import { encodeError } from "../host/client/clientPort.ts";
import type { HostOptions } from "../host/settings/options.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import { host } from "./host.ts";
import type { Host } from "./hostHandle.ts";

/** A transport for the SDK's clients. It has the shape of the SDK's own `Transport`, without importing it. */
export type HostedTransport<Message> = {
	/** The host behind the transport; undefined before `start`. */
	readonly host: Host | undefined;
	start(): Promise<void>;
	send(message: Message): Promise<void>;
	close(): Promise<void>;
	onmessage?: ((message: Message) => void) | undefined;
	onclose?: (() => void) | undefined;
	onerror?: ((error: Error) => void) | undefined;
};

export type HostedTransportOptions = Omit<HostOptions, "client"> & {
	/** Parses what the server sends, in place of `JSON.parse`, which rounds large numbers. */
	readonly parse?: (json: string) => unknown;
};

/**
 * A client transport that runs a stdio server under a host in this process, so that the client object keeps its
 * connection through crashes and upgrades of the server.
 */
export function hostedTransport<Message>({
	parse = JSON.parse,
	...options
}: HostedTransportOptions): HostedTransport<Message> {
	let running: Host | undefined;
	let closed = false;
	const transport: HostedTransport<Message> = {
		get host() {
			return running;
		},
		async start() {
			if (running !== undefined) throw new Error("the transport was already started");
			running = host({ ...options, client: { deliver: (frame) => deliver(transport, frame, parse) } });
			running.closed
				.then(() => {
					closed = true;
					transport.onclose?.();
				})
				.catch((error: unknown) => transport.onerror?.(toError(error)));
		},
		async send(message) {
			if (running === undefined || closed) throw new Error("the transport is not open");
			const to = running;
			const frame = Buffer.from(JSON.stringify(message));
			atEndOfTurn(() => to.receive(frame, scanEnvelope(frame)));
		},
		async close() {
			closed = true;
			await running?.close();
		},
	};
	return transport;
}

type Parse = (json: string) => unknown;

let waiting: (() => void)[] = [];

/** Defers to the end of this turn of the event loop, so that messages to one server leave in one write. */
function atEndOfTurn(send: () => void): void {
	if (waiting.push(send) > 1) return;
	setImmediate(() => {
		const sends = waiting;
		waiting = [];
		for (const each of sends) each();
	});
}

function deliver<Message>(transport: HostedTransport<Message>, frame: Buffer, parse: Parse): void {
	try {
		// The host passes on only whole JSON-RPC messages, so the cast to the SDK's message type is safe.
		const message = parseFrame(frame, parse, (refusal) => transport.host?.receive(refusal, scanEnvelope(refusal)));
		transport.onmessage?.(message as Message);
	} catch (error) {
		transport.onerror?.(toError(error));
	}
}

/**
 * The host does not check the contents of strings, so a message may turn out not to be JSON. An answer then fails its
 * call and a request is refused, so that nobody waits forever.
 */
function parseFrame(frame: Buffer, parse: Parse, refuse: (refusal: Buffer) => void): unknown {
	try {
		return parse(frame.toString());
	} catch (error) {
		const envelope = scanEnvelope(frame);
		if (envelope.kind === "invalid" || envelope.kind === "notification") throw error;
		const code = envelope.kind === "request" ? "bad_json" : "unreadable_answer";
		const fault = makeFault(code, { detail: String(error), retry: "never" });
		const failure = encodeError(envelope.id, createFaultResponse(fault));
		if (envelope.kind !== "request") return JSON.parse(failure.toString());
		refuse(failure);
		throw error;
	}
}
