import type { JsonObject } from "../../contract/json.ts";
import type { AskCaller } from "./questions.ts";

/** How to ask the caller of a call; calls of the same caller can ask for each other. */
export type AskingCall = { readonly ask?: AskCaller; readonly caller?: object };

/** Whom to ask, or why nobody is, in words for the log. */
export type Asker = { readonly ask: AskCaller } | { readonly nobody: string };

/** How long a server may still ask about a call that was given up. */
const LATE_MS = 10 * 60_000;

/** The calls in flight on a connection: servers with a handshake do not say which call a question belongs to. */
export class CallsInFlight {
	readonly #calls = new Map<unknown, AskingCall>();
	/** The last two callers who gave a call up, and when: one of them is not the caller in question, whoever that is. */
	readonly #gaveUp = new Map<object, number>();

	/** `args` must be the object that is sent: the request is recognised by its identity, or by the task it became. */
	async during<T>(
		call: AskingCall & { readonly signal: AbortSignal },
		args: object,
		run: (onTask: (id: string) => void) => Promise<T>,
	): Promise<T> {
		const keys: unknown[] = [];
		const known = (key: unknown): void => {
			keys.push(key);
			this.#calls.set(key, call);
		};
		known(args);
		try {
			return await run(known);
		} catch (thrown) {
			if (call.signal.aborted) this.#givenUpBy(call.caller ?? {});
			throw thrown;
		} finally {
			for (const key of keys) this.#calls.delete(key);
		}
	}

	/**
	 * Finds whom to ask: the caller of the task the question names, or of the request in whose response it came, else the one
	 * caller of all calls in flight. With several callers nobody is asked, since the question could be for any of them, nor
	 * after another caller has given a call up, which the server may not have noticed.
	 */
	askerFor(request: { readonly params?: JsonObject | undefined } | undefined, taskId?: string | undefined): Asker {
		const known = this.#calls.get(taskId ?? request?.params?.arguments);
		if (known !== undefined) return askerOf(known);
		const [first, ...others] = new Set(this.#calls.values());
		if (first === undefined) return { nobody: "no call of its tools is under way" };
		const isTheirs = others.every(({ caller }) => caller !== undefined && caller === first.caller);
		if (!isTheirs) return { nobody: "calls of several callers are under way, and it does not say for which" };
		return this.#mayBeLate(first.caller)
			? { nobody: "another caller has given up a call in the last ten minutes, and it does not say for which" }
			: askerOf(first);
	}

	#givenUpBy(caller: object): void {
		this.#gaveUp.delete(caller);
		this.#gaveUp.set(caller, performance.now());
		const [oldest] = this.#gaveUp.keys();
		if (this.#gaveUp.size > 2 && oldest !== undefined) this.#gaveUp.delete(oldest);
	}

	#mayBeLate(asked: object | undefined): boolean {
		return [...this.#gaveUp].some(([caller, at]) => caller !== asked && performance.now() - at < LATE_MS);
	}
}

function askerOf({ ask }: AskingCall): Asker {
	return ask === undefined ? { nobody: "the client of the call cannot be asked" } : { ask };
}
