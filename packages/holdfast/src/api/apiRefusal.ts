import type { ServerResponse } from "node:http";
import type { HttpRefusal } from "libmcp/http";
import type { ApiErrorCode, ErrorAnswer } from "./apiError.ts";

/** Writes refusals of the API's paths in its own envelope; `noOwner` says why no token would help, if none would. */
export function refuseInEnvelope(
	noOwner: () => string | undefined,
): (response: ServerResponse, refusal: HttpRefusal, path: string) => boolean {
	return (response, refusal, path) => {
		if (!isApiPath(path) || response.headersSent || response.destroyed) return false;
		const { status, body } = refusalAnswer(refusal);
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

export function refusalAnswer({ status, message }: HttpRefusal): ErrorAnswer {
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
	429: "unavailable",
	431: "invalid_request",
	500: "internal",
	503: "unavailable",
} as const satisfies Record<HttpRefusal["status"], ApiErrorCode>;
