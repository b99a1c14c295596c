import type { Fault } from "./fault.ts";
import { modelFailure } from "./modelFailure.ts";

/** A fault as the `error` member of a JSON-RPC response. */
export type FaultResponse = {
	readonly code: number;
	readonly message: string;
	readonly data: Readonly<Record<string, unknown>> & { readonly fault: Fault };
};

/** Codes stay out of the block MCP reserves (-32020 to -32099): what happened is in `data.fault`. */
export function faultResponse(fault: Fault, extra: Readonly<Record<string, unknown>> = {}): FaultResponse {
	const { message, retryHint } = modelFailure(fault);
	return {
		code: CODES[fault.code] ?? INTERNAL_ERROR,
		message: retryHint === undefined ? message : `${message} ${retryHint}`,
		data: { ...extra, fault },
	};
}

const INTERNAL_ERROR = -32603;

const CODES: Readonly<Record<string, number>> = {
	bad_json: -32700,
	bad_envelope: -32600,
	duplicate_id: -32600,
	frame_too_large: -32600,
	queue_overloaded: -32001,
};
