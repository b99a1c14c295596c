import { ERROR_CODES, type ErrorCode, ToolError } from "metatools";

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

export type ApiErrorCode = keyof typeof API_ERRORS;

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
export function errorAnswer(thrown: unknown): ErrorAnswer {
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
