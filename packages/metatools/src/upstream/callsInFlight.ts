import type { JsonObject } from "../contract/json.ts";
import type { AskCaller } from "./questions.ts";

/** A call as far as questions are concerned: whom it reaches, and who that is. */
export type AskingCall = { readonly ask?: AskCaller; readonly caller?: object | string };

/** The calls a connection has under way, for servers with a handshake, which do not say which of them a question belongs to. */
export class CallsInFlight {
	readonly #calls = new Map<unknown, AskingCall>();

	/** `args` is the very object that is sent: by it the request is known again. */
	async during<T>(call: AskingCall, args: object, running: Promise<T>): Promise<T> {
		this.#calls.set(args, call);
		try {
			return await running;
		} finally {
			this.#calls.delete(args);
		}
	}

	/**
	 * Whom a question goes to. Where it came in the answer to one request, to the caller of that one. Else to the one
	 * caller all calls belong to; with calls of several nobody can tell whose question it is, and nobody is asked.
	 */
	askerFor(request: { readonly params?: JsonObject | undefined } | undefined): AskCaller | undefined {
		const known = request === undefined ? undefined : this.#calls.get(request.params?.arguments);
		if (known !== undefined) return known.ask;
		const [first, ...others] = this.#calls.values();
		if (first === undefined) return undefined;
		const isTheirs = others.every(({ caller }) => caller !== undefined && caller === first.caller);
		return isTheirs ? first.ask : undefined;
	}
}
