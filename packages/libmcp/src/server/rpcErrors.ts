import { isRpcError, RpcError } from "../fault/rpcError.ts";

/** Errors that a server raises itself, without its dispatcher. The key is sent as `data.code`. */
export const PROTOCOL_ERRORS = {
	PARSE_ERROR: -32700,
	INVALID_REQUEST: -32600,
	NOT_INITIALIZED: -32600,
	ALREADY_INITIALIZED: -32600,
	DUPLICATE_ID: -32600,
	FRAME_TOO_LARGE: -32600,
	METHOD_NOT_FOUND: -32601,
	INVALID_PARAMS: -32602,
	INTERNAL: -32603,
	SUBSCRIPTION_LIMIT: -32603,
	HEADER_MISMATCH: -32020,
	MISSING_CAPABILITY: -32021,
	UNSUPPORTED_VERSION: -32022,
} as const;

export type ProtocolErrorCode = keyof typeof PROTOCOL_ERRORS;

/** Creates an error of the table, with its key in `data.code` for programs. */
export function protocolError(
	code: ProtocolErrorCode,
	message: string,
	details: Record<string, unknown> = {},
): RpcError {
	return new RpcError(PROTOCOL_ERRORS[code], message, { code, message, ...details });
}

export function unknownMethod(method: string): RpcError {
	return protocolError("METHOD_NOT_FOUND", `Method not found: ${method.slice(0, 128)}`);
}

export type ErrorBody = { readonly code: number; readonly message: string; readonly data?: unknown };

/** Any thrown value as the `error` member of an answer; the text of an unexpected failure is not sent. */
export function errorBody(thrown: unknown): ErrorBody {
	if (isRpcError(thrown)) {
		return { code: thrown.code, message: thrown.message, ...(thrown.data === undefined ? {} : { data: thrown.data }) };
	}
	const { code, message, data } = protocolError("INTERNAL", "The server failed to answer this request.");
	return { code, message, data };
}
