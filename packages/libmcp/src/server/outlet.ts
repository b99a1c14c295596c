import type { RequestId } from "../wire/requestId.ts";
import { type ErrorBody, errorBody } from "./rpcErrors.ts";
import { WrittenResult } from "./writtenResult.ts";

/** The one terminal message of a request, already serialized. */
export type Answer = {
	readonly text: string;
	/** The error's code, when it is one. */
	readonly errorCode?: number;
	/** The server refused by itself; no handler was asked. */
	readonly refused: boolean;
};

/** Receives everything that is sent in response to one incoming message. */
export type Outlet = {
	/** A notification or a request to the client, before the answer. */
	emit(text: string): void;
	/** Called last, with the answer, or undefined when none is due. */
	finish(answer: Answer | undefined): void;
};

/** The answer to a request that succeeded, ready to send. */
export function resultAnswer(id: RequestId, result: unknown): Answer {
	const written = result instanceof WrittenResult ? `{${result.members}}` : JSON.stringify(result ?? {});
	return { text: `{"jsonrpc":"2.0","id":${id},"result":${written}}`, refused: false };
}

/** The answer to a request that failed, ready to send; `refused`: it was never run. */
export function errorAnswer(id: RequestId | undefined, thrown: unknown, refused: boolean): Answer {
	const body = errorBody(thrown);
	return { text: errorText(id, body), errorCode: body.code, refused };
}

function errorText(id: RequestId | undefined, body: ErrorBody): string {
	return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":${JSON.stringify(body)}}`;
}

export function notificationText(method: string, params?: Record<string, unknown>): string {
	return JSON.stringify(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params });
}
