import type { JsonObject } from "../contract/json.ts";
import type { AskCaller } from "./questions.ts";

/** How to ask the caller of a call; calls of the same caller can ask for each other. */
export type AskingCall = { readonly ask?: AskCaller; readonly caller?: object };

/** The calls in flight on a connection: servers with a handshake do not say which call a question belongs to. */
export class CallsInFlight {
	readonly #calls = new Map<unknown, AskingCall>();

	/** `args` must be the object that is sent: the request is recognised by its identity, or by the task it became. */
	async during<T>(call: AskingCall, args: object, run: (onTask: (id: string) => void) => Promise<T>): Promise<T> {
		const keys: unknown[] = [];
		const known = (key: unknown): void => {
			keys.push(key);
			this.#calls.set(key, call);
		};
		known(args);
		try {
			return await run(known);
		} finally {
			for (const key of keys) this.#calls.delete(key);
		}
	}

	/**
	 * Finds whom to ask: the caller of the task the question names, or of the request in whose response it came, else the one
	 * caller of all calls in flight. With several callers nobody is asked, since the question could be for any of them.
	 */
	askerFor(
		request: { readonly params?: JsonObject | undefined } | undefined,
		taskId?: string | undefined,
	): AskCaller | undefined {
		const known = this.#calls.get(taskId ?? request?.params?.arguments);
		if (known !== undefined) return known.ask;
		const [first, ...others] = new Set(this.#calls.values());
		if (first === undefined) return undefined;
		const isTheirs = others.every(({ caller }) => caller !== undefined && caller === first.caller);
		return isTheirs ? first.ask : undefined;
	}
}
