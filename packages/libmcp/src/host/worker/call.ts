import type { Buffer } from "node:buffer";
import type { Deadline } from "../../admission/deadline.ts";
import type { ExecutionKnowledge } from "../../replay/decide.ts";
import type { Effect } from "../../replay/effect.ts";
import type { CountedCall } from "../../telemetry/telemetryLedger.ts";
import type { RequestEnvelope } from "../../wire/envelope.ts";
import { findMember, readSpan, readSpanExactly, readSpanText, readString } from "../../wire/members.ts";
import { parseRequestId, type RequestId } from "../../wire/requestId.ts";
import type { Worker } from "./worker.ts";

/**
 * Of a worker's death. `accused`: the call was on trial then, but another may have caused it. `alone`: only this call
 * can have caused it.
 */
export type Blame = "none" | "accused" | "alone";

/** One request of the client, from admission to its one terminal answer. */
export type Call = {
	readonly id: RequestId;
	readonly method: string;
	/** The tool of a `tools/call`. */
	readonly tool: string | undefined;
	readonly frame: Buffer;
	readonly envelope: RequestEnvelope;
	/** Order of arrival. */
	readonly sequence: number;
	/** JSON text of the progress token, if the client gave one. */
	readonly token: RequestId | undefined;
	/** A subscription, which waits for notifications: it blocks no other call, gets no blame for a crash, has no deadline. */
	readonly standing: boolean;
	/** Once it is `completed`, the call has its answer and never leaves that state. */
	knowledge: ExecutionKnowledge;
	/** Sent to a worker at least once. */
	dispatched: boolean;
	/** The weakest that its tool promised whenever it was sent; undefined until the server has listed the tool. */
	promised: Effect | undefined;
	worker: Worker | undefined;
	/** The id sent to the worker: the client's own, unless that one is still in use there. */
	wireId: RequestId;
	/** The progress token sent to the worker; differs from the client's for the same reason. */
	wireToken: RequestId | undefined;
	replays: number;
	/** Replays that do not count: a release that was rolled back lost the call, or the host ended a sound worker. */
	forgiven: number;
	blame: Blame;
	/** Workers that ended while they were asked whether this call took effect. */
	lostProbes: number;
	highestProgress: number;
	/** The client knows that this subscription is open, so repeating it on a new worker is not announced again. */
	acknowledged: boolean;
	deadline: Deadline | undefined;
	/** Its entry in the telemetry counters. */
	counted: CountedCall | undefined;
};

export function createCall(frame: Buffer, envelope: RequestEnvelope, sequence: number): Call {
	const { params } = envelope;
	const token = params?.metaProgressToken;
	return {
		id: envelope.id,
		method: envelope.method,
		tool: envelope.method === "tools/call" ? toolName(frame, envelope) : undefined,
		frame,
		envelope,
		sequence,
		token: token && parseRequestId(readSpanText(frame, token)),
		standing: envelope.method === "subscriptions/listen",
		knowledge: "not_dispatched",
		dispatched: false,
		promised: undefined,
		worker: undefined,
		wireId: envelope.id,
		wireToken: undefined,
		replays: 0,
		forgiven: 0,
		blame: "none",
		lostProbes: 0,
		highestProgress: Number.NEGATIVE_INFINITY,
		acknowledged: false,
		deadline: undefined,
		counted: undefined,
	};
}

/** The arguments of a `tools/call`, parsed only when a contract asks for them. */
export function readArguments(call: Call): unknown {
	return readSpan(call.frame, call.envelope.params?.arguments);
}

/** The same for what is sent on or compared: its numbers keep the spelling they came with. */
export function readExactArguments(call: Call): unknown {
	return readSpanExactly(call.frame, call.envelope.params?.arguments);
}

/** The task that a request of the `tasks/` methods is about. */
export function readTaskId({ method, frame, envelope: { params } }: Call): string | undefined {
	if (params === undefined || !method.startsWith("tasks/")) return undefined;
	const span = findMember(frame, params, ["taskId"]);
	const id = "found" in span ? readSpan(frame, span.found) : undefined;
	return typeof id === "string" ? id : undefined;
}

function toolName(frame: Buffer, envelope: RequestEnvelope): string | undefined {
	const name = envelope.params?.name;
	return name && readString(frame, name.start, name.end);
}

/** A result made by the host itself, in the form the call's protocol era requires. */
export function completeResult(call: Call, result: Record<string, unknown>): Record<string, unknown> {
	if (call.envelope.params?.metaProtocolVersion === undefined) return result;
	return {
		resultType: "complete",
		...(call.method === "tools/list" && { ttlMs: 0, cacheScope: "private" }),
		...result,
	};
}
