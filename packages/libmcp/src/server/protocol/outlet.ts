import type { ReplayContract } from "../../replay/decide.ts";
import { type RequestId, toJsonId } from "../../wire/requestId.ts";
import { type ErrorBody, errorBody, protocolError } from "./rpcErrors.ts";

/** The one final message of a request, already serialized. */
export type Answer = {
	readonly text: string;
	/** The error's code; undefined for a result. */
	readonly errorCode?: number;
	/** True when the server refused the request before any handler ran. */
	readonly refused: boolean;
};

/** Receives everything that is sent in reply to one incoming message. */
export type Outlet = {
	/** Sends a notification or a request to the client before the answer. */
	emit(text: string): void;
	/** Whether the client can get what is sent before the answer. If absent, it can. */
	reaches?(): boolean;
	/** Called before the request may take effect, if calls are kept beyond this process; may have to be waited for. */
	dispatching?(contract: ReplayContract): Promise<void> | undefined;
	/** Called last, with the answer, or with undefined when none is due. */
	finish(answer: Answer | undefined): void;
};

/** The answer to a request that succeeded, ready to send. */
export function resultAnswer(id: RequestId, result: unknown): Answer {
	const written = result instanceof WrittenResult ? `{${result.members}}` : JSON.stringify(result ?? {});
	return { text: `{"jsonrpc":"2.0","id":${id},"result":${written}}`, refused: false };
}

/** The answer to a request that failed, ready to send. */
export function errorAnswer(id: RequestId | undefined, thrown: unknown): Answer {
	const body = errorBody(thrown);
	return { text: errorText(id, body), errorCode: body.code, refused: false };
}

/** The same for a request that no handler ran for. */
export function refusalAnswer(id: RequestId | undefined, thrown: unknown): Answer {
	return { ...errorAnswer(id, thrown), refused: true };
}

function errorText(id: RequestId | undefined, body: ErrorBody): string {
	return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":${JSON.stringify(body)}}`;
}

/** Whether somebody waits for this message: it is an answer, several of them, or a question. All are written id first. */
export function isAwaited(text: string): boolean {
	return text.startsWith('{"jsonrpc":"2.0","id":') || text.startsWith('[{"jsonrpc":"2.0","id":');
}

export function notificationText(method: string, params?: Record<string, unknown>): string {
	return JSON.stringify(params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params });
}

/** A result that is already JSON text; transports send it without serializing it again. */
export class WrittenResult {
	/** The members of the object with commas between them, without its braces. */
	readonly members: string;

	constructor(members: string) {
		this.members = members;
	}

	toJSON(): Record<string, unknown> {
		return JSON.parse(`{${this.members}}`);
	}
}

/** Refuses a request whose id is in flight; sent without an id, because an answer under it would end that call. */
export function refuseDuplicateId(id: RequestId): Answer {
	const message = `id: a request with id ${id} is in flight`;
	return refusalAnswer(undefined, protocolError("DUPLICATE_ID", message, { id: toJsonId(id) }));
}
