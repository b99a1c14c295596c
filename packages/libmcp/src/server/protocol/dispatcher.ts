import type { ProgressUpdate } from "../../admission/progressPacer.ts";
import type { ReplayContract } from "../../replay/decide.ts";
import type { RequestId } from "../../wire/requestId.ts";

/** Which family of protocol revisions the request came in: with an `initialize` handshake, or without one. */
export type Era = "legacy" | "modern";

/** What a handler knows of its request, and what it can do besides answering. */
export type RpcContext = {
	readonly era: Era;
	readonly id: RequestId;
	/** Aborted when the client cancels, when it disconnects (if that cancels), and when the server stops. */
	readonly signal: AbortSignal;
	readonly client: ClientDescription;
	/** The request's session; absent in the modern era and on stateless servers. */
	readonly session?: Session;
	/** The authenticated caller, if the transport authenticates. */
	readonly principal?: Principal;
	/** HTTP headers that repeat arguments of the request, for proxies that forward it. */
	readonly paramHeaders?: Readonly<Record<string, string>>;
	/** Whether the client asked for progress. */
	readonly wantsProgress: boolean;
	/** Reports progress if the client asked for it. Rate-limited; values only rise, and none follow the answer. */
	progress(update: ProgressUpdate): void;
	notify(method: string, params?: Record<string, unknown>): void;
	/** Asks the client something; only possible in the legacy era. Withdrawn when the signal aborts or the call ends. */
	request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
	/**
	 * Says, before the request may take effect, what may be done with it if this process is lost; wait for the promise, if
	 * there is one. Only where calls are kept beyond this process.
	 */
	dispatching?(contract: ReplayContract): Promise<void> | undefined;
	/**
	 * Makes the request a task: its answer is the task, and what the handler returns later the task's result. Gives what the
	 * handler works with from then on. Only where the server and this client have tasks.
	 */
	beginTask?(): Promise<RpcContext>;
};

/** What the client declared about itself, in its handshake or with the request. */
export type ClientDescription = {
	readonly name?: string;
	readonly version?: string;
	/** The revision that is spoken with it. */
	readonly protocolVersion: string;
	readonly capabilities: Readonly<Record<string, unknown>>;
};

/** A connected client, to which a server can send messages outside any request. */
export type Session = {
	readonly id: string;
	readonly client: ClientDescription | undefined;
	notify(method: string, params?: Record<string, unknown>): void;
	request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
	/** Aborted when the session is over. */
	readonly ended: AbortSignal;
	/** What is remembered of the session for as long as it lives, in whichever process serves it. */
	readonly notes: SessionNotes;
};

/** JSON values by name. A value is replaced and never changed. */
export type SessionNotes = { get(name: string): unknown; set(name: string, value: unknown): void };

/** An authenticated caller. Sessions are bound to its `id`, and limits are counted by it. */
export type Principal = {
	readonly id: string;
	readonly scopes: readonly string[];
	readonly claims?: Readonly<Record<string, unknown>>;
};

/** Answers all of a server's methods; transports and protocol eras are handled elsewhere. */
export type Dispatcher = (method: string, params: unknown, context: RpcContext) => Promise<unknown>;

/** Copies a context's members, which may be getters on its class, to a plain object that others add to. */
export function copyContext(context: RpcContext): RpcContext {
	const { era, id, signal, client, session, principal, paramHeaders, wantsProgress } = context;
	return {
		era,
		id,
		signal,
		client,
		...(session !== undefined && { session }),
		...(principal !== undefined && { principal }),
		...(paramHeaders !== undefined && { paramHeaders }),
		wantsProgress,
		progress: (update) => context.progress(update),
		notify: (method, params) => context.notify(method, params),
		request: (method, params, until) => context.request(method, params, until),
	};
}
