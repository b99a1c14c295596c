import type { Buffer } from "node:buffer";
import { Deadline, type DeadlineKind } from "../admission/deadline.ts";
import type { Fault } from "../fault/fault.ts";
import { faultResponse } from "../fault/faultResponse.ts";
import type { CallOutcome } from "../telemetry/callOutcome.ts";
import type { RequestEnvelope } from "../wire/envelope.ts";
import { looseRequestId, parseRequestId, type RequestId, requestKey } from "../wire/requestId.ts";
import { type Call, createCall } from "./call.ts";
import { errorFrame } from "./clientPort.ts";
import type { Parts } from "./parts.ts";

/** All calls without a final answer. A call leaves exactly once, and after that it cannot be answered again. */
export class Ledger {
	readonly #parts: Parts;
	readonly #calls = new Map<RequestId, Call>();
	readonly #expired: (call: Call, kind: DeadlineKind) => void;
	#sequence = 0;
	#bytes = 0;

	constructor(parts: Parts, expired: (call: Call, kind: DeadlineKind) => void) {
		this.#parts = parts;
		this.#expired = expired;
	}

	get size(): number {
		return this.#calls.size;
	}

	/** Bytes of requests kept for a possible repetition. */
	get bytes(): number {
		return this.#bytes;
	}

	calls(): Call[] {
		return [...this.#calls.values()];
	}

	/** Undefined when a call of the same id is still open. */
	admit(frame: Buffer, envelope: RequestEnvelope): Call | undefined {
		const key = requestKey(envelope.id);
		if (this.#calls.has(key)) return undefined;
		const call = createCall(frame, envelope, ++this.#sequence);
		this.#calls.set(key, call);
		this.#bytes += frame.length;
		this.watch(call);
		this.#parts.record.began(call);
		return call;
	}

	/** Gives the call all of its time, from now. What it may be silent counts only while a worker has it. */
	watch(call: Call): void {
		const limits = this.#parts.book.deadlines(call);
		if ((limits.hardMs ?? 0) > 0 || (limits.inactivityMs ?? 0) > 0) {
			const { callbacks } = this.#parts;
			call.deadline = new Deadline(
				limits,
				(kind) => this.#expired(call, kind),
				() => callbacks.isAskedDuring(call),
			);
			if (call.worker === undefined) call.deadline.rest();
		}
	}

	/** Removes the call; false when it was removed before, and then nothing may be sent for it. */
	settle(call: Call, outcome: CallOutcome): boolean {
		if (call.settled) return false;
		call.settled = true;
		call.knowledge = "completed";
		call.deadline?.clear();
		this.#calls.delete(requestKey(call.id));
		this.#bytes -= call.frame.length;
		call.worker?.calls.release(call);
		this.#parts.record.ended(call, outcome);
		return true;
	}

	/** Answers a call with a fault of the host's own. */
	fail(call: Call, fault: Fault, extra: Readonly<Record<string, unknown>> = {}): void {
		if (!this.settle(call, { kind: "fault", fault })) return;
		this.#parts.port.send(errorFrame(call.id, faultResponse(fault, extra)));
	}

	/** A call of this id has no answer yet: no other message may be answered under it. */
	has(id: RequestId): boolean {
		return this.#calls.has(requestKey(id));
	}

	/** The call a cancellation means: by typed id, then by the id's text. */
	ofCancellation(idText: string): Call | undefined {
		const id = parseRequestId(idText);
		if (id === undefined) return undefined;
		const exact = this.#calls.get(requestKey(id));
		if (exact !== undefined) return exact;
		const loose = looseRequestId(id);
		return this.calls().find((call) => looseRequestId(call.id) === loose);
	}
}
