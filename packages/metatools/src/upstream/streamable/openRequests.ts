import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/client";

export type RequestId = string | number;

/** More requests than a server could ever have open with us. */
const MOST_ASKED = 1_000;

/** Our unanswered requests, and the server's requests that came within their responses. */
export class OpenRequests {
	readonly #open = new Map<RequestId, JSONRPCRequest>();
	/** The server's requests that came in the answer to one of ours. */
	readonly #asked = new Map<RequestId, JSONRPCRequest>();
	readonly #waiting = new Map<RequestId, () => void>();

	isOpen(id: RequestId): boolean {
		return this.#open.has(id);
	}

	/** Whether this is a request that has no answer yet. */
	awaits(message: JSONRPCMessage): boolean {
		return "method" in message && "id" in message && this.isOpen(message.id);
	}

	/** Resolves when it is answered or cancelled, or when nothing more can come. */
	async settled(id: RequestId): Promise<void> {
		if (this.isOpen(id)) await new Promise<void>((resolve) => this.#waiting.set(id, resolve));
	}

	/** Ends all waiting. */
	expectNoMore(): void {
		for (const id of this.#waiting.keys()) this.#wake(id);
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
		if (typeof cancelled === "string" || typeof cancelled === "number") this.#close(cancelled);
	}

	received(message: JSONRPCMessage, during: RequestId | undefined): void {
		if (!("id" in message) || message.id === undefined) return;
		if (!("method" in message)) this.#close(message.id);
		else if (during !== undefined && this.#asked.size < MOST_ASKED) {
			const request = this.#open.get(during);
			if (request !== undefined) this.#asked.set(message.id, request);
		}
	}

	/** Forgets a request for which nothing more will come. */
	end(id: RequestId): void {
		this.#close(id);
		for (const [question, request] of this.#asked) if (request.id === id) this.#asked.delete(question);
	}

	#close(id: RequestId): void {
		this.#open.delete(id);
		this.#wake(id);
	}

	#wake(id: RequestId): void {
		this.#waiting.get(id)?.();
		this.#waiting.delete(id);
	}
}
