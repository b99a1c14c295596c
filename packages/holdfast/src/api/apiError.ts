import type { ServerResponse } from "node:http";
import type { HttpRefusal } from "libmcp/http";
import { ERROR_CODES, type ErrorCode, isObject, ToolError } from "metatools";

/** The API's own errors; failures of tools keep their usual codes. */
const API_ERRORS = {
	invalid_request: 400,
	unauthorized: 401,
	forbidden: 403,
	not_found: 404,
	method_not_allowed: 405,
	conflict: 409,
	unavailable: 503,
	internal: 500,
} as const;

type ApiErrorCode = keyof typeof API_ERRORS;

/** Thrown by endpoints; `errorAnswer` turns it into the error envelope. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ApiErrorCode;
	readonly details: Readonly<Record<string, unknown>> | undefined;

	constructor(code: ApiErrorCode, message: string, details?: Readonly<Record<string, unknown>>) {
		super(message);
		this.code = code;
		this.details = details;
	}
}

export type ErrorAnswer = {
	readonly status: number;
	readonly body: { readonly error: Readonly<Record<string, unknown>> };
};

/** `{"error": {"code", "message", …}}` for anything thrown; the text of an internal defect is not exposed. */
export function answerError(thrown: unknown): ErrorAnswer {
	if (thrown instanceof ToolError) return { status: toolStatus(thrown.object.code), body: { error: thrown.object } };
	if (thrown instanceof ApiError) {
		const { code, message, details } = thrown;
		return { status: API_ERRORS[code], body: { error: { code, message, ...(details !== undefined && { details }) } } };
	}
	return {
		status: 500,
		body: { error: { code: "internal", message: "the server failed while answering; its log has the cause" } },
	};
}

/** Every code an answer may carry. */
export const ALL_ERROR_CODES: readonly string[] = [
	...new Set([...Object.keys(API_ERRORS), ...Object.keys(ERROR_CODES)]),
];

function toolStatus(code: ErrorCode): number {
	switch (code) {
		case "tool_not_found":
			return 404;
		case "no_backends":
			return 503;
		case "timeout":
			return 504;
		case "execution_failed":
		case "validation_output":
		case "stream_failed":
			return 502;
		case "internal":
			return 500;
		default:
			return 400;
	}
}

/** Writes refusals of the API's paths in its own envelope; `noOwner` says why no token would help, if none would. */
export function refuseInEnvelope(
	noOwner: () => string | undefined,
): (response: ServerResponse, refusal: HttpRefusal, path: string) => boolean {
	return (response, refusal, path) => {
		if (!isApiPath(path) || response.headersSent || response.destroyed) return false;
		const { status, body } = answerRefusal(refusal);
		const why = refusal.code === "UNAUTHORIZED" ? noOwner() : undefined;
		const error = { ...body.error, ...(why !== undefined && { message: why, reason: "no_owner" }) };
		response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...refusal.headers });
		response.end(JSON.stringify({ error }));
		return true;
	};
}

export function isApiPath(path: string): boolean {
	return path === "/api" || path.startsWith("/api/");
}

export function answerRefusal({ status, message }: HttpRefusal): ErrorAnswer {
	return { status, body: { error: { code: CODE_OF_STATUS[status], message } } };
}

/** `unavailable` is for what may succeed later, unchanged. */
const CODE_OF_STATUS = {
	400: "invalid_request",
	401: "unauthorized",
	403: "forbidden",
	404: "not_found",
	405: "method_not_allowed",
	406: "invalid_request",
	408: "unavailable",
	413: "invalid_request",
	415: "invalid_request",
	417: "invalid_request",
	421: "unavailable",
	429: "unavailable",
	431: "invalid_request",
	500: "internal",
	502: "internal",
	503: "unavailable",
} as const satisfies Record<HttpRefusal["status"], ApiErrorCode>;

/** Unwraps the code server's own error, which arrives as JSON in the message. */
export function unwrapCodeError(thrown: unknown): unknown {
	if (!(thrown instanceof ToolError) || !thrown.message.startsWith("{")) return thrown;
	try {
		const { error } = JSON.parse(thrown.message);
		const { code, message, ...parts } = thrown.object;
		if (!isObject(error)) return thrown;
		// What was asked for is at fault then, and asking again cannot help.
		if (error.code === "INVALID_REQUEST") return new ApiError("invalid_request", String(error.message), error);
		if (error.code === "NOT_FOUND") return new ApiError("not_found", String(error.message), error);
		return new ToolError(code, String(error.message), { ...parts, details: error });
	} catch {
		return thrown;
	}
}
