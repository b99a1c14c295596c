import { createHash, randomBytes } from "node:crypto";
import { RPC_CODES, type RpcContext, RpcError } from "libmcp";
import { isObject, type JsonObject } from "../contract/json.ts";

/** One request of a call; a client without a handshake makes another to answer a question. */
export type Round = { readonly context: RpcContext; readonly params: unknown };

/** Undefined unless the client asked for progress on this request. */
export function readProgressToken({ context, params }: Round): string | number | undefined {
	const { progressToken } = isObject(params) && isObject(params._meta) ? params._meta : {};
	const isToken = typeof progressToken === "string" || typeof progressToken === "number";
	return context.wantsProgress && isToken ? progressToken : undefined;
}

/** A question the server asked in the middle of a call, waiting for the client's next round. */
type Question = {
	readonly method: string;
	readonly params: JsonObject;
	answer(value: unknown): void;
	fail(error: Error): void;
};

const KEY = "input";
const MOST_QUESTIONS = 16;
const MOST_OF_ONE = 16;
/** How long a person may take to answer. */
export const ANSWER_MS = 10 * 60_000;

/** One call of a client without a handshake: questions of the server become `input_required` results. */
export class SuspendedCall {
	readonly #abort = new AbortController();
	readonly #owner: string | undefined;
	readonly #digest: string;
	readonly #questions = new Map<string, Question>();
	#state: string | undefined;
	#latest: Round;
	#asked = 0;
	#wake: () => void = () => {};
	#outcome: { readonly result: unknown } | { readonly error: unknown } | undefined;

	/** `digest` tells the call from others of the same owner. */
	constructor(digest: string, first: Round) {
		this.#owner = first.context.principal?.id;
		this.#digest = digest;
		this.#latest = first;
	}

	/** The secret with which the client resumes the call. */
	get state(): string {
		this.#state ??= randomBytes(24).toString("base64url");
		return this.#state;
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	/** The only one whose request the client may still have open, so what is said during the call goes there. */
	get latest(): Round {
		return this.#latest;
	}

	get over(): boolean {
		return this.#outcome !== undefined;
	}

	belongsTo(owner: string | undefined): boolean {
		return this.#owner === owner;
	}

	isRoundOf(digest: string): boolean {
		return this.#digest === digest;
	}

	sharesOwner(other: SuspendedCall): boolean {
		return this.#owner === other.#owner;
	}

	run(call: Promise<unknown>): void {
		call.then(
			(result) => this.#settle({ result }),
			(error: unknown) => this.#settle({ error }),
		);
	}

	/** A server asks; resolves when a later round brings the answer. */
	ask(method: string, params: JsonObject, withdrawn?: AbortSignal): Promise<unknown> {
		return new Promise((answer, fail) => {
			if (this.#questions.size >= MOST_QUESTIONS || this.over)
				return fail(
					new RpcError(
						RPC_CODES.internalError,
						`At most ${MOST_QUESTIONS} questions at once can be put to this client.`,
					),
				);
			this.#asked++;
			const key = this.#asked === 1 ? KEY : `${KEY}-${this.#asked}`;
			this.#questions.set(key, { method, params, answer, fail });
			const withdraw = (): void => {
				if (this.#questions.delete(key)) fail(new Error("the server withdrew the question"));
			};
			withdrawn?.addEventListener("abort", withdraw, { once: true });
			this.#wake();
		});
	}

	/** Runs until the next question or the end of the call. A client that disconnects ends the call. */
	async round(round: Round): Promise<unknown> {
		this.#latest = round;
		const { context, params } = round;
		const { inputResponses } = isObject(params) ? params : {};
		for (const [key, given] of Object.entries(isObject(inputResponses) ? inputResponses : {})) {
			this.#questions.get(key)?.answer(given);
			this.#questions.delete(key);
		}
		const onAbort = (): void => this.end("the client cancelled the request");
		context.signal.addEventListener("abort", onAbort, { once: true });
		if (context.signal.aborted) onAbort();
		if (this.#questions.size === 0 && this.#outcome === undefined) {
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
		context.signal.removeEventListener("abort", onAbort);
		if (this.#outcome !== undefined) {
			if ("error" in this.#outcome) throw this.#outcome.error;
			return this.#outcome.result;
		}
		const asked = [...this.#questions].map(([key, { method, params }]) => [key, { method, params }]);
		return { resultType: "input_required", inputRequests: Object.fromEntries(asked), requestState: this.state };
	}

	end(reason: string): void {
		this.#failAll(reason);
		this.#abort.abort(new DOMException(reason, "AbortError"));
	}

	#settle(outcome: { readonly result: unknown } | { readonly error: unknown }): void {
		this.#outcome = outcome;
		this.#failAll("the call is over");
		this.#wake();
	}

	#failAll(reason: string): void {
		for (const { fail } of this.#questions.values()) fail(new Error(reason));
		this.#questions.clear();
	}
}

/** Calls waiting for their client's next round, limited in number and time. */
export class SuspendedCalls {
	readonly #calls = new Map<string, { readonly call: SuspendedCall; readonly timer: NodeJS.Timeout }>();

	keep(call: SuspendedCall): void {
		// Each holds a connection to the server; one caller must not occupy them all.
		const theirs = [...this.#calls.values()].filter((kept) => kept.call.sharesOwner(call));
		const oldest = theirs.length >= MOST_OF_ONE ? theirs[0]?.call.state : undefined;
		if (oldest !== undefined) this.#drop(oldest, "newer calls took its place");
		const timer = setTimeout(() => this.#drop(call.state, "the client did not come back"), ANSWER_MS);
		timer.unref();
		this.#calls.set(call.state, { call, timer });
	}

	/** The call that a client resumes; only its own, and only by calling the same again. Any other stays. */
	take(state: unknown, owner: string | undefined, digest: string): SuspendedCall {
		const found = typeof state === "string" ? this.#calls.get(state) : undefined;
		if (found === undefined || typeof state !== "string" || !found.call.belongsTo(owner))
			throw misplaced("expected the state of a call that waits for input, as it was given out");
		if (!found.call.isRoundOf(digest)) throw misplaced("belongs to another call; repeat the one it was given out for");
		clearTimeout(found.timer);
		this.#calls.delete(state);
		return found.call;
	}

	end(): void {
		for (const state of [...this.#calls.keys()]) this.#drop(state, "the gateway is shutting down");
	}

	#drop(state: string, reason: string): void {
		const found = this.#calls.get(state);
		clearTimeout(found?.timer);
		this.#calls.delete(state);
		found?.call.end(reason);
	}
}

function misplaced(why: string): RpcError {
	return new RpcError(RPC_CODES.invalidParams, `requestState: ${why}`, { code: "INVALID_PARAMS" });
}

/** Equal for every round of one call, in whatever order its members are written; different for any other call. */
export function digestCall(method: string, params: JsonObject): string {
	const { _meta: _, inputResponses: __, requestState: ___, ...asked } = params;
	return createHash("sha256")
		.update(JSON.stringify([method, asked], inOneOrder))
		.digest("base64url");
}

function inOneOrder(_: string, value: unknown): unknown {
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
