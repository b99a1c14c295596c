import type { ServerResponse } from "node:http";
import { HTTP_REFUSALS, type HttpRefusal } from "libmcp/http";
import type { ErrorAnswer } from "./apiError.ts";

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

export function refusalAnswer({ code, message }: HttpRefusal): ErrorAnswer {
	const { status } = HTTP_REFUSALS[code];
	const kind = status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "invalid_request";
	return { status, body: { error: { code: kind, message } } };
}
