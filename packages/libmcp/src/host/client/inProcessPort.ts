import { Buffer } from "node:buffer";
import type { Envelope } from "../../wire/envelope.ts";
import type { InProcessClient } from "../settings/options.ts";
import type { ClientEvents, Port } from "./clientPort.ts";

/** A client in the same process: nothing is framed, buffered or copied between it and the host. */
export class InProcessPort implements Port {
	readonly #client: InProcessClient;
	#events: ClientEvents | undefined;

	constructor(client: InProcessClient) {
		this.#client = client;
	}

	start(events: ClientEvents): void {
		this.#events = events;
	}

	/** Takes a message; `envelope` describes the frame, as read by its sender. */
	receive(frame: Buffer, envelope: Envelope): void {
		this.#events?.message(frame, envelope);
	}

	send(frame: Buffer): void {
		this.#client.deliver(frame);
	}

	notify(method: string, params?: Record<string, unknown>): void {
		this.send(Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params })));
	}

	deserted(): boolean {
		return false;
	}

	async drained(): Promise<boolean> {
		return true;
	}

	get isSkipping(): boolean {
		return false;
	}

	listen(): void {}

	stop(): Buffer {
		this.#events = undefined;
		return Buffer.alloc(0);
	}
}
