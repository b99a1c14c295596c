import { isObject } from "../contract/json.ts";
import type { AskCaller } from "./questions.ts";

/** A call as far as questions are concerned: whom it reaches, and who that is. */
export type AskingCall = { readonly ask?: AskCaller; readonly caller?: object | string };

type RequestId = string | number;

/** The calls a connection has under way, for servers with a handshake, which do not say which of them a question belongs to. */
export class CallsInFlight {
	readonly #calls = new Map<object, AskingCall>();
	/** Ids of requests as they went out, by the arguments they carry. */
	readonly #ids = new Map<RequestId, object>();

	/** `args` is the very object that is sent: by it the request is known again when it has got its id. */
	async during<T>(call: AskingCall, args: object, running: Promise<T>): Promise<T> {
		this.#calls.set(args, call);
		try {
			return await running;
		} finally {
			this.#calls.delete(args);
			for (const [id, sent] of this.#ids) if (sent === args) this.#ids.delete(id);
		}
	}

	/** Told of every message that goes out. */
	sent(message: object): void {
		if (!("id" in message && "params" in message) || !isObject(message.params)) return;
		const { id, params } = message;
		if ((typeof id === "string" || typeof id === "number") && isObject(params.arguments))
			this.#ids.set(id, params.arguments);
	}

	/**
	 * Whom a question goes to. Where it came with the answer to one request, to the caller of that one. Else to the one
	 * caller all calls belong to; with calls of several nobody can tell whose question it is, and nobody is asked.
	 */
	askerFor(request: RequestId | undefined): AskCaller | undefined {
		const args = request === undefined ? undefined : this.#ids.get(request);
		if (args !== undefined) return this.#calls.get(args)?.ask;
		const [first, ...others] = this.#calls.values();
		if (first === undefined) return undefined;
		const isTheirs = others.every(({ caller }) => caller !== undefined && caller === first.caller);
		return isTheirs ? first.ask : undefined;
	}
}
