import type { Buffer } from "node:buffer";
import { Deadline, type DeadlineKind, type DeadlineLimits } from "../../admission/deadline.ts";
import type { Fault } from "../../fault/fault.ts";
import type { CallOutcome } from "../../telemetry/record.ts";
import type { RequestEnvelope } from "../../wire/envelope.ts";
import { parseRequestId, type RequestId, toLooseId, toRequestKey } from "../../wire/requestId.ts";
import type { Callbacks } from "../client/callbacks.ts";
import type { Port } from "../client/clientPort.ts";
import { encodeFault } from "../client/faultFrame.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import { type Call, createCall } from "../worker/call.ts";
import type { ContractBook } from "./contractBook.ts";

/** What the ledger needs of the host. */
export type LedgerParts = {
	readonly settings: Pick<Settings, "errorCode">;
	readonly record: Pick<HostRecord, "began" | "ended">;
	readonly port: Pick<Port, "send">;
	readonly book: Pick<ContractBook, "deadlines">;
	readonly callbacks: Pick<Callbacks, "isAskedDuring">;
	readonly lostTasks: { faultOf(call: Call): Fault | undefined };
};

/** All calls without a final answer. A call leaves exactly once and cannot be answered after that. */
export class Ledger {
	readonly #parts: LedgerParts;
	readonly #calls = new Map<RequestId, Call>();
	readonly #expired: (call: Call, kind: DeadlineKind) => void;
	#sequence = 0;
	#bytes = 0;

	constructor(parts: LedgerParts, expired: (call: Call, kind: DeadlineKind) => void) {
		this.#parts = parts;
		this.#expired = expired;
	}

	get size(): number {
		return this.#calls.size;
	}

	/** Bytes of the requests kept for a possible replay. */
	get bytes(): number {
		return this.#bytes;
	}

	calls(): Call[] {
		return [...this.#calls.values()];
	}

	/** Registers a call; undefined when a call with the same id is still open. */
	admit(frame: Buffer, envelope: RequestEnvelope): Call | undefined {
		const key = toRequestKey(envelope.id);
		if (this.#calls.has(key)) return undefined;
		const call = createCall(frame, envelope, ++this.#sequence);
		this.#calls.set(key, call);
		this.#bytes += frame.length;
		this.watch(call);
		this.#parts.record.began(call);
		return call;
	}

	/** Restarts both limits of the call. The inactivity limit runs only while a worker has the call. */
	watch(call: Call, limits: DeadlineLimits = this.#parts.book.deadlines(call)): void {
		call.deadline?.clear();
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

	/** Stops the clocks of all calls, so that none expires while their state is handed on. */
	pauseClocks(): void {
		for (const { deadline } of this.#calls.values()) deadline?.pause();
	}

	resumeClocks(): void {
		for (const { deadline } of this.#calls.values()) deadline?.resume();
	}

	/** Removes the call; false when it was removed before, in which case nothing may be sent for it. */
	settle(call: Call, outcome: CallOutcome): boolean {
		if (call.knowledge === "completed") return false;
		call.knowledge = "completed";
		call.deadline?.clear();
		this.#calls.delete(toRequestKey(call.id));
		this.#bytes -= call.frame.length;
		call.worker?.calls.release(call);
		this.#parts.record.ended(call, outcome);
		return true;
	}

	/** Answers a call with a fault from the host. About a lost task, the loss matters more than what failed now. */
	fail(call: Call, cause: Fault, extra: Readonly<Record<string, unknown>> = {}): void {
		const fault = this.#parts.lostTasks.faultOf(call) ?? cause;
		if (!this.settle(call, { kind: "fault", fault })) return;
		const { port, settings } = this.#parts;
		port.send(encodeFault(settings, call.id, fault, extra));
	}

	/** True while a call with this id has no answer: no other message may be answered under that id. */
	has(id: RequestId): boolean {
		return this.#calls.has(toRequestKey(id));
	}

	/** The call that a cancellation names: matched by id and JSON type first, then by the id's text. */
	ofCancellation(idText: string): Call | undefined {
		const id = parseRequestId(idText);
		if (id === undefined) return undefined;
		const exact = this.#calls.get(toRequestKey(id));
		if (exact !== undefined) return exact;
		const loose = toLooseId(id);
		return this.calls().find((call) => toLooseId(call.id) === loose);
	}
}
