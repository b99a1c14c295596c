import { PROTOCOL_ERRORS, type ProtocolErrorCode } from "libmcp/serve";
import type { ErrorCode } from "../contract/errors.ts";

/** The transport's own errors mapped to this contract's codes; the original code becomes `data.reason`. */
const TABLED: Readonly<Record<ProtocolErrorCode, ErrorCode>> = {
	PARSE_ERROR: "INVALID_REQUEST",
	INVALID_REQUEST: "INVALID_REQUEST",
	NOT_INITIALIZED: "INVALID_REQUEST",
	ALREADY_INITIALIZED: "INVALID_REQUEST",
	DUPLICATE_ID: "INVALID_REQUEST",
	FRAME_TOO_LARGE: "INVALID_REQUEST",
	METHOD_NOT_FOUND: "INVALID_REQUEST",
	INVALID_PARAMS: "INVALID_REQUEST",
	INTERNAL: "INTERNAL",
	SUBSCRIPTION_LIMIT: "QUEUE_OVERLOADED",
	HEADER_MISMATCH: "INVALID_REQUEST",
	MISSING_CAPABILITY: "CAPABILITY_MISSING",
	UNSUPPORTED_VERSION: "INVALID_REQUEST",
};

/** Gives an error a code of the table in `data.code`; results and notifications pass through unchanged. */
export function withTabledCode(line: string): string {
	if (!ERROR_ANSWER.test(line)) return line;
	const { jsonrpc, id, error } = JSON.parse(line);
	const { code = protocolCodeOf(error.code), reason, ...rest } = error.data ?? {};
	if (typeof code !== "string" || !isProtocolCode(code)) return line;
	const data = { code: TABLED[code], ...rest, ...(code !== TABLED[code] && { reason: reason ?? code.toLowerCase() }) };
	// The id is echoed verbatim, because a number beyond 2^53 would be rounded.
	const idText = typeof id === "number" ? (ERROR_ANSWER.exec(line)?.[1] ?? "null") : JSON.stringify(id);
	return `{"jsonrpc":${JSON.stringify(jsonrpc)},"id":${idText},"error":${JSON.stringify({ ...error, data })}}\n`;
}

const ERROR_ANSWER = /^\{"jsonrpc":"2\.0","id":(null|-?[\d.eE+-]+|"(?:[^"\\]|\\.)*"),"error":/;

function isProtocolCode(code: string): code is ProtocolErrorCode {
	return Object.hasOwn(PROTOCOL_ERRORS, code);
}

/** For the SDK's own errors, which have only the number. */
function protocolCodeOf(rpc: number): ProtocolErrorCode {
	return (
		Object.keys(PROTOCOL_ERRORS)
			.filter(isProtocolCode)
			.find((code) => PROTOCOL_ERRORS[code] === rpc) ?? "INTERNAL"
	);
}
