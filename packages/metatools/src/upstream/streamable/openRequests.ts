import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/client";

export type RequestId = string | number;

/** More requests than a server could ever have open with us. */
const MOST_ASKED = 1_000;

/** Our unanswered requests, and the server's requests that came within their responses. */
export class OpenRequests {
	readonly #open = new Map<RequestId, JSONRPCRequest>();
	/** The server's requests that came in the answer to one of ours. */
	readonly #asked = new Map<RequestId, JSONRPCRequest>();

	isOpen(id: RequestId): boolean {
		return this.#open.has(id);
	}

	/** Our request in whose answer the server sent this question. */
	askedDuring(question: RequestId): JSONRPCRequest | undefined {
		return this.#asked.get(question);
	}

	/** Tracks a message we sent: a request is open until answered, a cancellation closes it. */
	sent(message: JSONRPCMessage): void {
		if (!("method" in message)) return;
		if ("id" in message) this.#open.set(message.id, message);
		const cancelled = message.method === "notifications/cancelled" ? message.params?.requestId : undefined;
		if (typeof cancelled === "string" || typeof cancelled === "number") this.#open.delete(cancelled);
	}

	received(message: JSONRPCMessage, during: RequestId | undefined): void {
		if (!("id" in message) || message.id === undefined) return;
		if (!("method" in message)) this.#open.delete(message.id);
		else if (during !== undefined && this.#asked.size < MOST_ASKED) {
			const request = this.#open.get(during);
			if (request !== undefined) this.#asked.set(message.id, request);
		}
	}

	/** Forgets a request for which nothing more will come. */
	end(id: RequestId): void {
		this.#open.delete(id);
		for (const [question, request] of this.#asked) if (request.id === id) this.#asked.delete(question);
	}
}
