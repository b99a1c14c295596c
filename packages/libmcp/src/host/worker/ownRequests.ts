import type { Buffer } from "node:buffer";
import { FaultError } from "../../fault/fault.ts";
import { type FaultCode, makeFault } from "../../fault/faultTable.ts";
import type { Envelope, ErrorResponseEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import { type RequestId, toRequestId } from "../../wire/requestId.ts";

export type PrivateAnswer = { readonly frame: Buffer; readonly envelope: ResponseEnvelope | ErrorResponseEnvelope };

type Asked = {
	readonly what: string;
	readonly resolve: (answer: PrivateAnswer) => void;
	readonly reject: (reason: FaultError) => void;
	readonly timer: NodeJS.Timeout;
};

/** The host's own requests to one worker, each with its own time limit. */
export class OwnRequests {
	readonly #generation: number;
	readonly #asked = new Map<RequestId, Asked>();
	/** How the worker ended; undefined while it runs. */
	#ended: string | undefined;

	constructor(generation: number) {
		this.#generation = generation;
	}

	/** Rejects with a fault that names `what` when no answer comes in time, it cannot be read, or the worker ends. */
	ask(what: string, send: (id: RequestId) => void, timeoutMs: number): Promise<PrivateAnswer> {
		const id = createPrivateId();
		const { promise, resolve, reject } = Promise.withResolvers<PrivateAnswer>();
		const late = (): void => this.#fail(id, "no_private_answer", `no answer in ${Math.round(timeoutMs)} ms`);
		// After a pause of this process, input that is already there is read before the timeout counts.
		const timer = setTimeout(() => setImmediate(late), timeoutMs);
		this.#asked.set(id, { what, resolve, reject, timer });
		if (this.#ended !== undefined) this.end(this.#ended);
		else send(id);
		return promise;
	}

	has(id: RequestId): boolean {
		return this.#asked.has(id);
	}

	/** False when the frame answers none of these requests. */
	answered(frame: Buffer, envelope: Envelope): boolean {
		if (this.#asked.size === 0 || (envelope.kind !== "response" && envelope.kind !== "error-response")) return false;
		const asked = envelope.id && this.#take(envelope.id);
		asked?.resolve({ frame, envelope });
		return asked !== undefined;
	}

	/** Rejects the request: its answer could not be read, and no other will come. */
	unreadable(id: RequestId, detail: string): void {
		this.#fail(id, "unreadable_answer", detail);
	}

	end(how: string): void {
		this.#ended = how;
		for (const id of this.#asked.keys())
			this.#fail(id, "worker_exited", `the worker ended before it answered (${how})`);
	}

	#fail(id: RequestId, code: FaultCode, detail: string): void {
		const asked = this.#take(id);
		const fields = { detail: `${asked?.what}: ${detail}`, generation: this.#generation };
		asked?.reject(new FaultError(makeFault(code, fields)));
	}

	#take(id: RequestId): Asked | undefined {
		const asked = this.#asked.get(id);
		clearTimeout(asked?.timer);
		this.#asked.delete(id);
		return asked;
	}
}

const NONCE = Math.random().toString(36).slice(2, 10);
let privateIds = 0;

/** Random enough not to collide with a client's ids. Even a guessed id is safe, since each side has its own table. */
export function createPrivateId(): RequestId {
	return toRequestId(`holdfast-${NONCE}-${++privateIds}`);
}
