import { HTTP_REFUSALS, HttpRefusal, type HttpRefusalCode } from "libmcp/http";
import { CleatsError, ERROR_TABLE, type ErrorCode, toCleatsError } from "../contract/errors.ts";

/** A body that did not come in time; the only status with no refusal of its own in the shared front. */
export class BodyTimeout extends Error {
	override readonly name = "BodyTimeout";
}

/** What the front refuses, in the words of this contract. */
const TABLED: Readonly<Partial<Record<HttpRefusalCode, ErrorCode>>> = {
	UNAUTHORIZED: "UNAUTHORIZED",
	FORBIDDEN_ORIGIN: "FORBIDDEN",
	FORBIDDEN_HOST: "FORBIDDEN",
	FORBIDDEN: "FORBIDDEN",
	NOT_FOUND: "NOT_FOUND",
	RATE_LIMITED: "QUEUE_OVERLOADED",
	SHUTTING_DOWN: "QUEUE_OVERLOADED",
};

export function asCleatsError(thrown: unknown): CleatsError {
	if (thrown instanceof BodyTimeout) return new CleatsError("INVALID_REQUEST", thrown.message);
	if (thrown instanceof HttpRefusal) return new CleatsError(TABLED[thrown.code] ?? "INVALID_REQUEST", thrown.message);
	if (thrown instanceof CleatsError) return thrown;
	const error = toCleatsError(thrown);
	return error.code === "INTERNAL" ? new CleatsError("INTERNAL", "the server failed unexpectedly") : error;
}

export function refusedHeaders(thrown: unknown): Readonly<Record<string, string>> {
	// The rest of the body may still come, or never: the connection carries no other request.
	if (thrown instanceof BodyTimeout) return { connection: "close" };
	return thrown instanceof HttpRefusal ? thrown.headers : {};
}

export function refusedStatus(thrown: unknown): number {
	if (thrown instanceof BodyTimeout) return 408;
	if (thrown instanceof HttpRefusal) return HTTP_REFUSALS[thrown.code].status;
	return ERROR_TABLE[asCleatsError(thrown).code].http;
}
