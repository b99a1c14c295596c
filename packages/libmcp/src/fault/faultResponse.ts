import type { Fault } from "./fault.ts";
import { faultRow } from "./faultTable.ts";
import { modelFailure } from "./modelFailure.ts";
import { RPC_CODES } from "./rpcCodes.ts";

/** A fault as the `error` member of a JSON-RPC response. */
export type FaultResponse = {
	readonly code: number;
	readonly message: string;
	readonly data: Readonly<Record<string, unknown>> & { readonly fault: Fault };
};

/** Uses no code from the block that MCP reserves (-32020 to -32099); `data.fault` says what happened. */
export function faultResponse(fault: Fault, extra: Readonly<Record<string, unknown>> = {}): FaultResponse {
	const { message, retryHint } = modelFailure(fault);
	return {
		code: faultRow(fault.code)?.rpc ?? RPC_CODES.internalError,
		message: retryHint === undefined ? message : `${message} ${retryHint}`,
		data: { ...extra, fault },
	};
}
