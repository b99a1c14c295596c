import type { Buffer } from "node:buffer";
import { makeRoom } from "../../admission/boundedQueue.ts";
import { applyEdits, type SpanEdit } from "../../wire/encodeFrame.ts";
import { isPlainId, type RequestId, respellId, retypeId } from "../../wire/requestId.ts";
import type { Call } from "./call.ts";
import { createPrivateId } from "./ownRequests.ts";

const MAX_ABANDONED = 4_096;
const MAX_TASKS = 1_024;

/** The parts of a call needed to pass on its progress, even after its answer. */
export type Reporter = Pick<Call, "token" | "highestProgress" | "replays" | "deadline">;

/** The calls that one worker has and has not answered, by the ids and tokens it knows them by. */
export class HeldCalls {
	readonly #byId = new Map<RequestId, Call>();
	readonly #byToken = new Map<RequestId, Reporter>();
	/** Progress tokens of calls that were answered with a task. */
	readonly #taskTokens = new Set<RequestId>();
	/** Ids and tokens of abandoned calls. A new call must not reuse one: the worker may still send something under it. */
	readonly #abandoned = new Set<RequestId>();
	#handshake: Call | undefined;

	/** True until the worker answers `initialize`; before that, the protocol forbids any other request. */
	get inHandshake(): boolean {
		return this.#handshake !== undefined;
	}

	/** True when no call waits for this worker; subscriptions do not count. */
	get idle(): boolean {
		return this.values().every(({ standing }) => standing);
	}

	get size(): number {
		return this.#byId.size;
	}

	values(): Call[] {
		return [...this.#byId.values()];
	}

	/** Registers the call and returns the request to send: with the client's id and token, unless they are in use here. */
	take(call: Call): Buffer {
		const { id, token, frame, envelope } = call;
		const edits: SpanEdit[] = [];
		call.wireId = this.#free(id, this.#byId);
		this.#byId.set(call.wireId, call);
		if (call.method === "initialize") this.#handshake = call;
		if (call.wireId !== id) edits.push({ span: envelope.idSpan, text: call.wireId });
		const span = envelope.params?.metaProgressToken;
		if (token !== undefined && span !== undefined) {
			call.wireToken = this.#free(token, this.#byToken);
			this.#byToken.set(call.wireToken, call);
			if (call.wireToken !== token) edits.push({ span, text: call.wireToken });
		}
		return edits.length === 0 ? frame : applyEdits(frame, edits);
	}

	release(call: Call): void {
		const { wireId, wireToken } = call;
		if (this.#handshake === call) this.#handshake = undefined;
		this.#byId.delete(wireId);
		if (wireToken !== undefined) this.#byToken.delete(wireToken);
	}

	/** Keeps the progress token of a released call that was answered with a task, because the task goes on reporting. */
	expectProgress({ wireToken, token, highestProgress, replays }: Call): void {
		if (wireToken === undefined) return;
		const dropped = makeRoom(this.#taskTokens, MAX_TASKS);
		if (dropped !== undefined) this.#byToken.delete(dropped);
		this.#taskTokens.add(wireToken);
		this.#byToken.set(wireToken, { token, highestProgress, replays, deadline: undefined });
	}

	/** Reserves the id and token of a call that is given up, because the worker may still use them. */
	abandon({ wireId, wireToken }: Call): void {
		for (const name of wireToken === undefined ? [wireId] : [wireId, wireToken]) {
			makeRoom(this.#abandoned, MAX_ABANDONED);
			this.#abandoned.add(name);
		}
	}

	/** An abandoned call was answered after all, so its id is free again. */
	answeredLate(id: RequestId): void {
		this.#abandoned.delete(id);
	}

	/** The call that an answer under this id is for, even if the worker spells the id differently. */
	get(id: RequestId): Call | undefined {
		return this.#find(id, this.#byId);
	}

	ofToken(token: RequestId): Reporter | undefined {
		return this.#find(token, this.#byToken);
	}

	clear(): void {
		this.#handshake = undefined;
		this.#byId.clear();
		this.#byToken.clear();
	}

	/** SDK clients accept `"1"` for `1`, so some servers send it. An abandoned call's id never stands for another. */
	#find<T>(name: RequestId, named: ReadonlyMap<RequestId, T>): T | undefined {
		const found = named.get(name) ?? named.get(respellId(name));
		const other = found === undefined && !this.#abandoned.has(name) ? retypeId(name) : undefined;
		return other === undefined ? found : named.get(other);
	}

	#free(name: RequestId, taken: ReadonlyMap<RequestId, unknown>): RequestId {
		return isPlainId(name) && !taken.has(name) && !this.#abandoned.has(name) ? name : createPrivateId();
	}
}
