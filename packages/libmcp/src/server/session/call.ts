import { ProgressPacer, type ProgressUpdate } from "../../admission/progressPacer.ts";
import { isRpcError } from "../../fault/rpcError.ts";
import type { ReplayContract } from "../../replay/decide.ts";
import type { RequestId } from "../../wire/requestId.ts";
import type { ClientDescription, Dispatcher, Era, Principal, RpcContext, Session } from "../protocol/dispatcher.ts";
import { fitNotification } from "../protocol/fitQuestion.ts";
import { completeModernResult, fitResult } from "../protocol/fitResult.ts";
import { type Answer, errorAnswer, notificationText, type Outlet, resultAnswer } from "../protocol/outlet.ts";
import { type LogLevel, rankSeverity } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";
import type { ServerInfo } from "../protocol/serverDescription.ts";

export type CallRequest = {
	readonly era: Era;
	readonly id: RequestId;
	readonly method: string;
	readonly params: unknown;
	readonly client: ClientDescription;
	/** The JSON text of the progress token, when there is one. */
	readonly progressToken?: string;
	readonly logLevel?: LogLevel;
	readonly session?: Session;
	readonly principal?: Principal;
	readonly paramHeaders?: Readonly<Record<string, string>>;
	/** Added to results in the modern era. */
	readonly info?: ServerInfo;
	/** Asks the client something; absent where that is impossible. */
	readonly ask?: (method: string, params: Record<string, unknown> | undefined, signal: AbortSignal) => Promise<unknown>;
};

/** One request on its way through a dispatcher. */
export class Call implements RpcContext {
	declare readonly session?: Session;
	declare readonly principal?: Principal;
	declare readonly paramHeaders?: Readonly<Record<string, string>>;
	readonly #request: CallRequest;
	readonly #outlet: Outlet;
	readonly #controller = new AbortController();
	readonly #pacer: ProgressPacer | undefined;
	/** Withdraws what the client is still asked when the call ends; made with the first question. */
	#questions: AbortController | undefined;
	/** True when no answer may be sent any more. */
	#silenced: boolean = false;
	#over: boolean = false;

	constructor(request: CallRequest, outlet: Outlet) {
		this.#request = request;
		this.#outlet = outlet;
		if (request.session !== undefined) this.session = request.session;
		if (request.principal !== undefined) this.principal = request.principal;
		if (request.paramHeaders !== undefined) this.paramHeaders = request.paramHeaders;
		const token = request.progressToken;
		this.#pacer =
			token === undefined
				? undefined
				: new ProgressPacer((update) => outlet.emit(encodeProgress(token, update, request.client.protocolVersion)));
	}

	get era(): Era {
		return this.#request.era;
	}
	get id(): RequestId {
		return this.#request.id;
	}
	get client(): ClientDescription {
		return this.#request.client;
	}
	get signal(): AbortSignal {
		return this.#controller.signal;
	}
	get wantsProgress(): boolean {
		return this.#pacer !== undefined;
	}

	progress(update: ProgressUpdate): void {
		this.#pacer?.update(update);
	}

	notify(method: string, params?: Record<string, unknown>): void {
		if (this.#over || (this.era === "modern" && !isWanted(method, params, this.#request.logLevel))) return;
		const fit = fitNotification(this.client.protocolVersion, method, params);
		if (fit !== undefined) this.#outlet.emit(notificationText(method, params && fit));
	}

	async request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
		const { ask } = this.#request;
		if (ask === undefined || this.#over) {
			throw protocolError("MISSING_CAPABILITY", `the client cannot be asked for ${method} on this connection`);
		}
		this.#questions ??= new AbortController();
		const ends = [this.signal, this.#questions.signal, ...(signal === undefined ? [] : [signal])];
		return ask(method, params, AbortSignal.any(ends));
	}

	dispatching(contract: ReplayContract): Promise<void> | undefined {
		return this.#outlet.dispatching?.(contract);
	}

	/** Stops the call: the client wants no answer any more. */
	cancel(reason: string): void {
		this.#silenced = true;
		this.#pacer?.finish();
		this.#controller.abort(new DOMException(reason, "AbortError"));
	}

	async run(dispatcher: Dispatcher, onUnexpected: (error: unknown, method: string) => void): Promise<void> {
		let answer: Answer;
		try {
			answer = this.#answer(await dispatcher(this.#request.method, this.#request.params, this));
		} catch (error) {
			if (!(isRpcError(error) || this.signal.aborted)) onUnexpected(error, this.#request.method);
			answer = errorAnswer(this.id, error);
		}
		this.#over = true;
		this.#questions?.abort(new DOMException("the call is over", "AbortError"));
		this.#pacer?.finish();
		this.#outlet.finish(this.#silenced ? undefined : answer);
	}

	#answer(result: unknown): Answer {
		const { id, era, method, info } = this.#request;
		if (era === "legacy") return resultAnswer(id, fitResult(this.client.protocolVersion, method, result));
		return resultAnswer(id, info === undefined ? result : completeModernResult(method, result, info));
	}
}

/** Whether to send a log message: a client without a handshake gets them only from the level its request names. */
export function isWanted(
	method: string,
	params: Record<string, unknown> | undefined,
	logLevel: LogLevel | undefined,
): boolean {
	if (method !== "notifications/message") return true;
	return logLevel !== undefined && rankSeverity(params?.level) >= rankSeverity(logLevel);
}

/** Sends the token's original text, which preserves its JSON type. */
export function encodeProgress(token: string, { progress, total, message }: ProgressUpdate, revision: string): string {
	const params = { progress, total, message };
	const rest = JSON.stringify(fitNotification(revision, "notifications/progress", params)).slice(1);
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},${rest}}`;
}
