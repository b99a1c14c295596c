import type { Buffer } from "node:buffer";
import { RPC_CODES, type RpcError } from "../../fault/rpcError.ts";
import { INVALID_FRAME, type InvalidReason, type ParamsSpans } from "../../wire/envelope.ts";
import { parseRequestId } from "../../wire/requestId.ts";
import { parseStrictJson } from "../../wire/strictJson.ts";
import type { ClientDescription, Dispatcher, Era, Principal, Session } from "../protocol/dispatcher.ts";
import { isRecord } from "../protocol/protocol.ts";
import { protocolError, reportUnexpected } from "../protocol/rpcErrors.ts";
import type { DescribeServer, ServerDescription } from "../protocol/serverDescription.ts";

/** What every transport needs to serve a dispatcher. */
export type RpcServerOptions = {
	readonly dispatcher: Dispatcher;
	readonly description: ServerDescription | DescribeServer;
	/** The part of the description that this caller is told. By default, all of it. */
	readonly toldTo?: (description: ServerDescription, principal: Principal | undefined) => ServerDescription;
	/** Called with client notifications that the transport does not handle itself. */
	readonly onNotification?: (method: string, params: unknown, session: Session | undefined) => void;
	/** Called when the set of resources that clients without a handshake watch changes. */
	readonly onWatch?: (uris: ReadonlySet<string>) => void;
	/** Finds the input schema of a tool, to check arguments that must be repeated in HTTP headers. */
	readonly toolSchema?: (tool: string) => Promise<unknown>;
	/** Parses what clients send, in place of `JSON.parse`, which rounds large numbers. */
	readonly parse?: (json: string) => unknown;
	/** Called with any thrown value that is no RpcError; clients see only a failure. By default, writes to stderr. */
	readonly onUnexpected?: (error: unknown, method: string) => void;
};

/** What all sessions of one server share: its dispatcher, its description and its listeners. */
export class RpcServer {
	readonly dispatcher: Dispatcher;
	readonly onNotification: (method: string, params: unknown, session: Session | undefined) => void;
	readonly onWatch: (uris: ReadonlySet<string>) => void;
	readonly onUnexpected: (error: unknown, method: string) => void;
	readonly toolSchema: ((tool: string) => Promise<unknown>) | undefined;
	readonly parse: (json: string) => unknown;
	readonly toldTo: (description: ServerDescription, principal: Principal | undefined) => ServerDescription;
	readonly #description: ServerDescription | DescribeServer;
	#modern: Promise<ServerDescription> | undefined;

	constructor(options: RpcServerOptions) {
		this.dispatcher = options.dispatcher;
		this.onNotification = options.onNotification ?? (() => {});
		this.onWatch = options.onWatch ?? (() => {});
		this.onUnexpected = options.onUnexpected ?? reportUnexpected;
		this.toolSchema = options.toolSchema;
		this.parse = options.parse ?? JSON.parse;
		this.toldTo = options.toldTo ?? ((description) => description);
		this.#description = options.description;
	}

	/** Synchronous if possible, so that requests right behind the handshake find it completed. */
	describe(era: Era, client: ClientDescription, session?: Session): ServerDescription | Promise<ServerDescription> {
		const description = this.#description;
		if (typeof description !== "function") return description;
		if (era === "legacy") return description({ era, client, ...(session === undefined ? {} : { session }) });
		// All clients without a handshake share one answer; a failure is not cached.
		this.#modern ??= description({ era, client }).catch((error: unknown) => {
			this.#modern = undefined;
			throw error;
		});
		return this.#modern;
	}
}

/** Parses `params`, which must be an object without repeated members. */
export function readParams(
	frame: Buffer,
	span: ParamsSpans | undefined,
	parse: (json: string) => unknown = JSON.parse,
): Record<string, unknown> | undefined {
	if (span === undefined) return undefined;
	const parsed = parseStrictJson(frame.subarray(span.start, span.end), parse);
	if (!parsed.ok) throw invalidFrameError(parsed.reason, parsed.detail);
	if (isRecord(parsed.value)) return parsed.value;
	throw protocolError("INVALID_PARAMS", "params: expected an object, got an array");
}

/** A progress token is a string or a number, like an id. */
export function readProgressToken(frame: Buffer, params: ParamsSpans | undefined): string | undefined {
	const span = params?.metaProgressToken;
	return span === undefined ? undefined : parseRequestId(frame.toString("utf8", span.start, span.end));
}

export function invalidFrameError(reason: InvalidReason, detail: string): RpcError {
	return protocolError(
		INVALID_FRAME[reason].code === RPC_CODES.parseError ? "PARSE_ERROR" : "INVALID_REQUEST",
		detail,
		{ reason },
	);
}
