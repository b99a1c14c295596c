import type { Buffer } from "node:buffer";
import { isPlainId, type RequestId, respelt, retyped } from "../wire/requestId.ts";
import type { SpanEdit } from "../wire/spliceId.ts";
import type { Call } from "./call.ts";
import { privateId } from "./ownRequests.ts";
import { rewrite } from "./rewrite.ts";

const MAX_ABANDONED = 4_096;
const MAX_TASKS = 1_024;

/** What it takes to pass on the progress of a call, even after its answer. */
export type Reporter = Pick<Call, "token" | "highestProgress" | "replays" | "deadline">;

/** The calls that one worker was given and has not answered, by the names it knows them by. */
export class HeldCalls {
	readonly #byId = new Map<RequestId, Call>();
	readonly #byToken = new Map<RequestId, Reporter>();
	/** Tokens of calls that were answered with a task. */
	readonly #tasks = new Set<RequestId>();
	/** Ids and tokens of calls that were given up: what the worker still says under one is not for a call that reuses it. */
	readonly #abandoned = new Set<RequestId>();

	get size(): number {
		return this.#byId.size;
	}

	values(): Call[] {
		return [...this.#byId.values()];
	}

	/** Returns the request as the worker is to read it: under the client's own names, unless they are in use here. */
	take(call: Call): Buffer {
		const { id, token, frame, envelope } = call;
		const edits: SpanEdit[] = [];
		call.wireId = this.#free(id, this.#byId);
		this.#byId.set(call.wireId, call);
		if (call.wireId !== id) edits.push({ span: envelope.idSpan, text: call.wireId });
		const span = envelope.params?.metaProgressToken;
		if (token !== undefined && span !== undefined) {
			call.wireToken = this.#free(token, this.#byToken);
			this.#byToken.set(call.wireToken, call);
			if (call.wireToken !== token) edits.push({ span, text: call.wireToken });
		}
		return edits.length === 0 ? frame : rewrite(frame, edits);
	}

	release({ wireId, wireToken }: Call): void {
		this.#byId.delete(wireId);
		if (wireToken !== undefined) this.#byToken.delete(wireToken);
	}

	/** Of a released call whose answer was a task: it goes on, and so does its progress. */
	expectProgress({ wireToken, token, highestProgress, replays }: Call): void {
		if (wireToken === undefined) return;
		const [oldest] = this.#tasks;
		if (this.#tasks.size >= MAX_TASKS && oldest !== undefined) {
			this.#tasks.delete(oldest);
			this.#byToken.delete(oldest);
		}
		this.#tasks.add(wireToken);
		this.#byToken.set(wireToken, { token, highestProgress, replays, deadline: undefined });
	}

	/** Of a released call that the worker may still speak of. */
	abandon({ wireId, wireToken }: Call): void {
		for (const name of wireToken === undefined ? [wireId] : [wireId, wireToken]) {
			const [oldest] = this.#abandoned;
			if (this.#abandoned.size >= MAX_ABANDONED && oldest !== undefined) this.#abandoned.delete(oldest);
			this.#abandoned.add(name);
		}
	}

	/** An abandoned call was answered after all: its id can be used again. */
	answeredLate(id: RequestId): void {
		this.#abandoned.delete(id);
	}

	/** The call an answer under this id is for, however the worker writes it. */
	get(id: RequestId): Call | undefined {
		return this.#find(id, this.#byId);
	}

	ofToken(token: RequestId): Reporter | undefined {
		return this.#find(token, this.#byToken);
	}

	clear(): void {
		this.#byId.clear();
		this.#byToken.clear();
	}

	/** Clients of the SDK take `"1"` for `1`, so there are servers that write it. A name that was given up means no other. */
	#find<T>(name: RequestId, named: ReadonlyMap<RequestId, T>): T | undefined {
		const found = named.get(name) ?? named.get(respelt(name));
		const other = found === undefined && !this.#abandoned.has(name) ? retyped(name) : undefined;
		return other === undefined ? found : named.get(other);
	}

	#free(name: RequestId, taken: ReadonlyMap<RequestId, unknown>): RequestId {
		return isPlainId(name) && !taken.has(name) && !this.#abandoned.has(name) ? name : privateId();
	}
}
