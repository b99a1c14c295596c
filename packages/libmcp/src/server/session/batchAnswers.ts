import type { Buffer } from "node:buffer";
import { splitBatch } from "../../wire/members.ts";
import { protocolError } from "../protocol/rpcErrors.ts";

/** More calls at once than any client has use for; each message counts as one request to limits of rates. */
const MOST_MESSAGES = 100;

/** The messages of a batch, for a revision that has batches. Throws when it holds none, or too many. */
export function splitMessages(frame: Buffer): readonly Buffer[] {
	const messages = splitBatch(frame);
	if (messages.length > 0 && messages.length <= MOST_MESSAGES) return messages;
	throw protocolError("INVALID_REQUEST", `batch: expected 1 to ${MOST_MESSAGES} messages, got ${messages.length}`);
}

/** Gathers the answers to the messages of a batch, which are sent as one array when the last is there. */
export class BatchAnswers {
	#open: number;
	readonly #texts: string[] = [];
	readonly #send: (text: string | undefined) => void;

	/** `send` gets undefined when no message of the batch is to be answered. */
	constructor(messages: number, send: (text: string | undefined) => void) {
		this.#open = messages;
		this.#send = send;
	}

	/** To be called once for each message: with its answer, or with undefined where none is due. */
	finish(text: string | undefined): void {
		if (text !== undefined) this.#texts.push(text);
		this.#open -= 1;
		if (this.#open === 0) this.#send(this.#texts.length === 0 ? undefined : `[${this.#texts.join(",")}]`);
	}
}
