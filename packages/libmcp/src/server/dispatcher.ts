import type { RequestId } from "../wire/requestId.ts";

/** Which family of protocol revisions the request came in: with an `initialize` handshake, or without one. */
export type Era = "legacy" | "modern";

/** What a handler may know of, and do about, the request it is answering. */
export type RpcContext = {
	readonly era: Era;
	readonly id: RequestId;
	/** Aborted when the client cancels, disconnects where that means cancel, or the server stops. */
	readonly signal: AbortSignal;
	readonly client: ClientDescription;
	/** The session the request came in; the modern era has none, nor has a server that keeps none. */
	readonly session?: Session;
	/** Who sent it, where the transport authenticates. */
	readonly principal?: Principal;
	/** The headers that repeat arguments of a request over HTTP, for whoever passes the request on. */
	readonly paramHeaders?: Readonly<Record<string, string>>;
	/** Whether the client asked for progress at all. */
	readonly wantsProgress: boolean;
	/** Does nothing unless the client asked for progress; coalesced, monotonic, silent after the answer. */
	progress(update: ProgressUpdate): void;
	notify(method: string, params?: Record<string, unknown>): void;
	/** Asks the client something; only the legacy era has such requests. */
	request(method: string, params?: Record<string, unknown>): Promise<unknown>;
};

/** What the client said of itself, in its handshake or with the request. */
export type ClientDescription = {
	readonly name?: string;
	readonly version?: string;
	readonly protocolVersion: string;
	readonly capabilities: Readonly<Record<string, unknown>>;
};

/** `progress` must grow from one to the next; what does not is left out. */
export type ProgressUpdate = { readonly progress: number; readonly total?: number; readonly message?: string };

/** A client that keeps a connection: what a server may say to it outside any request. */
export type Session = {
	readonly id: string;
	readonly client: ClientDescription | undefined;
	notify(method: string, params?: Record<string, unknown>): void;
	request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
	/** Aborted when the session is over. */
	readonly ended: AbortSignal;
};

/** An authenticated caller. `id` is what sessions are bound to and limits are counted by. */
export type Principal = {
	readonly id: string;
	readonly scopes: readonly string[];
	readonly claims?: Readonly<Record<string, unknown>>;
};

/** One function answers every method; transports and eras are somebody else's concern. */
export type Dispatcher = (method: string, params: unknown, context: RpcContext) => Promise<unknown>;

/** A failure that crosses the wire as a JSON-RPC error. */
export class RpcError extends Error {
	override readonly name = "RpcError";
	readonly code: number;
	readonly data: unknown;

	constructor(code: number, message: string, data?: unknown) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

/** True of an RpcError of any copy of this library that ended up in the process. */
export function isRpcError(value: unknown): value is RpcError {
	return (
		value instanceof RpcError ||
		(value instanceof Error && value.name === "RpcError" && "code" in value && Number.isInteger(value.code))
	);
}
