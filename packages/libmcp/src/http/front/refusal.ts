import type { ServerResponse } from "node:http";
import { RPC_CODES, RpcError } from "../../fault/rpcError.ts";
import { refusalAnswer } from "../../server/protocol/outlet.ts";

/** Reasons for refusing a request before it reaches a server: HTTP status, JSON-RPC code, and `data.code`. */
export const HTTP_REFUSALS = {
	BAD_REQUEST: { status: 400, code: RPC_CODES.invalidRequest },
	SESSION_REQUIRED: { status: 400, code: RPC_CODES.invalidRequest },
	UNSUPPORTED_VERSION_HEADER: { status: 400, code: RPC_CODES.invalidRequest },
	EVENT_EXPIRED: { status: 400, code: RPC_CODES.invalidRequest },
	UNAUTHORIZED: { status: 401, code: RPC_CODES.invalidRequest },
	FORBIDDEN_ORIGIN: { status: 403, code: RPC_CODES.invalidRequest },
	FORBIDDEN_HOST: { status: 403, code: RPC_CODES.invalidRequest },
	FORBIDDEN: { status: 403, code: RPC_CODES.invalidRequest },
	NOT_FOUND: { status: 404, code: RPC_CODES.invalidRequest },
	SESSION_NOT_FOUND: { status: 404, code: RPC_CODES.invalidRequest },
	METHOD_NOT_ALLOWED: { status: 405, code: RPC_CODES.invalidRequest },
	NOT_ACCEPTABLE: { status: 406, code: RPC_CODES.invalidRequest },
	REQUEST_TIMEOUT: { status: 408, code: RPC_CODES.invalidRequest },
	/** A node of a fleet was asked for what another one has. */
	MISDIRECTED: { status: 421, code: RPC_CODES.invalidRequest },
	BODY_TOO_LARGE: { status: 413, code: RPC_CODES.invalidRequest },
	UNSUPPORTED_MEDIA_TYPE: { status: 415, code: RPC_CODES.invalidRequest },
	EXPECTATION_FAILED: { status: 417, code: RPC_CODES.invalidRequest },
	RATE_LIMITED: { status: 429, code: RPC_CODES.invalidRequest },
	HEADERS_TOO_LARGE: { status: 431, code: RPC_CODES.invalidRequest },
	INTERNAL: { status: 500, code: RPC_CODES.internalError },
	/** The node of a fleet that had the request is gone; it may or may not have taken effect. */
	OUTCOME_UNKNOWN: { status: 502, code: RPC_CODES.internalError },
	/** The node of a fleet that has the session does not answer, and is not known to be gone. */
	NODE_AWAY: { status: 503, code: RPC_CODES.internalError },
	STORE_UNAVAILABLE: { status: 503, code: RPC_CODES.internalError },
	SHUTTING_DOWN: { status: 503, code: RPC_CODES.internalError },
} as const;

export type HttpRefusalCode = keyof typeof HTTP_REFUSALS;

type RefusalStatus = (typeof HTTP_REFUSALS)[HttpRefusalCode]["status"];

/** Thrown to refuse a request with an HTTP status and a JSON-RPC error without an id. */
export class HttpRefusal extends Error {
	override readonly name = "HttpRefusal";
	readonly code: HttpRefusalCode;
	readonly headers: Readonly<Record<string, string>>;
	readonly status: RefusalStatus;

	/** A `status` replaces the one of the code; a `cause` is for the log of whoever runs the server. */
	constructor(
		code: HttpRefusalCode,
		message: string,
		headers: Readonly<Record<string, string>> = {},
		{ status = HTTP_REFUSALS[code].status, ...options }: ErrorOptions & { readonly status?: RefusalStatus } = {},
	) {
		super(message, options);
		this.code = code;
		this.headers = headers;
		this.status = status;
	}
}

export function refuse(response: ServerResponse, refusal: HttpRefusal): void {
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return;
	}
	const error = new RpcError(HTTP_REFUSALS[refusal.code].code, refusal.message, {
		code: refusal.code,
		message: refusal.message,
	});
	const { text } = refusalAnswer(undefined, error);
	response.writeHead(refusal.status, {
		"content-type": "application/json",
		"content-length": Buffer.byteLength(text),
		...refusal.headers,
	});
	response.end(text);
}
