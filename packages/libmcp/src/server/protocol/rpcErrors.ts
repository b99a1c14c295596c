import { isRpcError, RPC_CODES, RpcError } from "../../fault/rpcError.ts";
import { writeStderr } from "../../process/ownProcess.ts";

/** Errors that a server raises itself, without its dispatcher. The key is sent as `data.code`. */
export const PROTOCOL_ERRORS = {
	PARSE_ERROR: RPC_CODES.parseError,
	INVALID_REQUEST: RPC_CODES.invalidRequest,
	NOT_INITIALIZED: RPC_CODES.invalidRequest,
	ALREADY_INITIALIZED: RPC_CODES.invalidRequest,
	DUPLICATE_ID: RPC_CODES.invalidRequest,
	FRAME_TOO_LARGE: RPC_CODES.invalidRequest,
	METHOD_NOT_FOUND: RPC_CODES.methodNotFound,
	INVALID_PARAMS: RPC_CODES.invalidParams,
	INTERNAL: RPC_CODES.internalError,
	SUBSCRIPTION_LIMIT: RPC_CODES.internalError,
	HEADER_MISMATCH: RPC_CODES.headerMismatch,
	MISSING_CAPABILITY: RPC_CODES.missingCapability,
	UNSUPPORTED_VERSION: RPC_CODES.unsupportedVersion,
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

/** The default for errors that no handler expected: clients see only a failure, so the author must see the cause. */
export function reportUnexpected(error: unknown, what: string): void {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	writeStderr(`libmcp: ${what.slice(0, 64)} failed: ${text}\n`);
}
