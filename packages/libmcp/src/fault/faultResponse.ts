import type { Fault, FaultClass, RetryAdvice } from "./fault.ts";
import { findFaultRow } from "./faultTable.ts";
import { RPC_CODES } from "./rpcError.ts";

/** A fault as the `error` member of a JSON-RPC response. */
export type FaultResponse = {
	readonly code: number;
	readonly message: string;
	readonly data: Readonly<Record<string, unknown>> & { readonly fault: Fault };
};

/** Uses no code from the block that MCP reserves (-32020 to -32099); `data.fault` says what happened. */
export function createFaultResponse(fault: Fault, extra: Readonly<Record<string, unknown>> = {}): FaultResponse {
	const { message, retryHint } = describeForModel(fault);
	return {
		code: findFaultRow(fault.code)?.rpc ?? RPC_CODES.internalError,
		message: retryHint === undefined ? message : `${message} ${retryHint}`,
		data: { ...extra, fault },
	};
}

/** What a model is told about a fault: one sentence, its category, and a retry hint only if a retry makes sense. */
export type ModelFailure = {
	readonly message: string;
	readonly category: FaultClass;
	readonly code: string;
	readonly retryHint?: string;
};

/** Built from the fault's class and code alone: `detail` may hold paths and backend words, so it stays with operators. */
export function describeForModel(fault: Fault): ModelFailure {
	const hint = retryHint(fault);
	return {
		message: findFaultRow(fault.code)?.sentence ?? classSentence(fault),
		category: fault.class,
		code: fault.code,
		...(hint === undefined ? {} : { retryHint: hint }),
	};
}

function classSentence(fault: Fault): string {
	const isLate = fault.class === "timeout" && fault.retry === "unsafe";
	return isLate ? LATE_IN_DOUBT : CLASS_SENTENCES[fault.class];
}

const LATE_IN_DOUBT =
	"The server did not answer in time; the call may or may not have taken effect, so check before repeating it.";

const CLASS_SENTENCES: Readonly<Record<FaultClass, string>> = {
	transport: "The connection to the server broke before it answered.",
	process: "The server process ended and could not answer.",
	protocol: "The message was not valid for this protocol.",
	timeout: "The server did not answer in time.",
	downstream: "The server answered with an error.",
	resource: "A resource limit was reached.",
	replay: "The call was tried again as often as allowed and the server ended each time.",
	rollout: "The server was being upgraded and the call could not be saved.",
	invariant: "Something that must not happen happened inside the host.",
	ambiguous_outcome:
		"The server ended during this call; it may or may not have taken effect, so check before repeating it.",
};

const RETRY_HINTS: Readonly<Record<RetryAdvice, string | undefined>> = {
	safe: "Retrying is safe.",
	later: "Retry after a short pause.",
	unsafe: undefined,
	never: undefined,
};

function retryHint(fault: Fault): string | undefined {
	if (fault.class === "ambiguous_outcome") return undefined;
	if (fault.retry === "later" && fault.retryAfterMs !== undefined) {
		return `Retry after ${Math.max(1, Math.ceil(fault.retryAfterMs / 1000))} s.`;
	}
	return RETRY_HINTS[fault.retry];
}
