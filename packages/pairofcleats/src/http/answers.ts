import type { IncomingMessage, ServerResponse } from "node:http";
import { type Envelope, failure } from "../contract/envelope.ts";
import { type CleatsError, ERROR_TABLE } from "../contract/errors.ts";
import { writeEnvelope } from "../searching/writtenEnvelope.ts";

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
	send(response, status, writeEnvelope(envelope).text, { "content-type": "application/json", ...headers });
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
	send(response, status, text, { "content-type": "application/json", ...retry, ...headers });
}

export function send(
	response: ServerResponse,
	status: number,
	text: string,
	headers: Readonly<Record<string, string>>,
): void {
	if (response.destroyed) return;
	response.writeHead(status, { "content-length": Buffer.byteLength(text), ...headers });
	response.end(text);
}
