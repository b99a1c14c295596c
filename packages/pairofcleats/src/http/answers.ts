import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpRefusal, type HttpRefusalCode } from "libmcp/http";
import { type Envelope, failure } from "../contract/envelope.ts";
import { CleatsError, ERROR_TABLE, type ErrorCode, toCleatsError } from "../contract/errors.ts";
import { writeEnvelope } from "../searching/writtenSearch.ts";

/** One HTTP request with its response. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly url: URL;
	readonly requestId: string;
	/** Aborted when the client disconnects. */
	readonly signal: AbortSignal;
	readonly began: number;
};

/** Sends an envelope as the whole response, with the HTTP status of its error code. */
export function sendEnvelope(
	{ response }: Exchange,
	envelope: Envelope,
	headers: Readonly<Record<string, string>> = {},
): void {
	const status = envelope.ok ? 200 : ERROR_TABLE[envelope.error.code].http;
	sendText(response, status, writeEnvelope(envelope).text, { "content-type": "application/json", ...headers });
}

export function sendFailure(
	{ response, requestId, began }: Exchange,
	error: CleatsError,
	status: number,
	headers: Readonly<Record<string, string>>,
): void {
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return;
	}
	const durationMs = Math.round((performance.now() - began) * 1000) / 1000;
	const retry = status === 503 ? { "retry-after": "1" } : {};
	const text = JSON.stringify(failure(error, { requestId, durationMs }));
	sendText(response, status, text, { "content-type": "application/json", ...retry, ...headers });
}

export function sendText(
	response: ServerResponse,
	status: number,
	text: string,
	headers: Readonly<Record<string, string>>,
): void {
	if (response.destroyed) return;
	response.writeHead(status, { "content-length": Buffer.byteLength(text), ...headers });
	response.end(text);
}

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

export function translateRefusal(thrown: unknown): CleatsError {
	if (thrown instanceof HttpRefusal) return new CleatsError(TABLED[thrown.code] ?? "INVALID_REQUEST", thrown.message);
	if (thrown instanceof CleatsError) return thrown;
	const error = toCleatsError(thrown);
	return error.code === "INTERNAL" ? new CleatsError("INTERNAL", "the server failed unexpectedly") : error;
}

export function readRefusedHeaders(thrown: unknown): Readonly<Record<string, string>> {
	return thrown instanceof HttpRefusal ? thrown.headers : {};
}

export function readRefusedStatus(thrown: unknown): number {
	if (thrown instanceof HttpRefusal) return thrown.status;
	return ERROR_TABLE[translateRefusal(thrown).code].http;
}
