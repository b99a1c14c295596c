import { HttpRefusal, type HttpRefusalCode } from "libmcp/http";
import { CleatsError, ERROR_TABLE, type ErrorCode, toCleatsError } from "../contract/errors.ts";

/** The HTTP layer's refusals mapped to this contract's error codes. */
const TABLED: Readonly<Partial<Record<HttpRefusalCode, ErrorCode>>> = {
	UNAUTHORIZED: "UNAUTHORIZED",
	FORBIDDEN_ORIGIN: "FORBIDDEN",
	FORBIDDEN_HOST: "FORBIDDEN",
	FORBIDDEN: "FORBIDDEN",
	NOT_FOUND: "NOT_FOUND",
	RATE_LIMITED: "QUEUE_OVERLOADED",
	INTERNAL: "INTERNAL",
	SHUTTING_DOWN: "QUEUE_OVERLOADED",
};

export function asCleatsError(thrown: unknown): CleatsError {
	if (thrown instanceof HttpRefusal) return new CleatsError(TABLED[thrown.code] ?? "INVALID_REQUEST", thrown.message);
	if (thrown instanceof CleatsError) return thrown;
	const error = toCleatsError(thrown);
	return error.code === "INTERNAL" ? new CleatsError("INTERNAL", "the server failed unexpectedly") : error;
}

export function refusedHeaders(thrown: unknown): Readonly<Record<string, string>> {
	return thrown instanceof HttpRefusal ? thrown.headers : {};
}

export function refusedStatus(thrown: unknown): number {
	if (thrown instanceof HttpRefusal) return thrown.status;
	return ERROR_TABLE[asCleatsError(thrown).code].http;
}
