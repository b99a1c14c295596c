import { RPC_CODES } from "../fault/rpcError.ts";
import { MAX_DEPTH } from "./jsonSkip.ts";
import type { RequestId } from "./requestId.ts";

/** Bytes `start` (inclusive) to `end` (exclusive) of a frame: one JSON value. */
export type Span = { readonly start: number; readonly end: number };

/** The members of `params` that decide where a message goes, each as the span of its value. */
export type ParamsSpans = Span & {
	readonly name: Span | undefined;
	readonly uri: Span | undefined;
	readonly arguments: Span | undefined;
	readonly requestId: Span | undefined;
	readonly progressToken: Span | undefined;
	readonly meta: Span | undefined;
	/** `params._meta.progressToken` */
	readonly metaProgressToken: Span | undefined;
	/** `params._meta["io.modelcontextprotocol/protocolVersion"]`, present in the modern era only. */
	readonly metaProtocolVersion: Span | undefined;
};

/** `isError` is the tool-level failure flag of a `tools/call` result. */
export type ResultSpans = Span & { readonly isError: boolean };

/** `code` is the span of the JSON-RPC error's number. */
export type ErrorSpans = Span & { readonly code: Span; readonly message: Span };

export type RequestEnvelope = {
	readonly kind: "request";
	readonly id: RequestId;
	readonly idSpan: Span;
	readonly method: string;
	readonly params: ParamsSpans | undefined;
};
export type NotificationEnvelope = {
	readonly kind: "notification";
	readonly method: string;
	readonly params: ParamsSpans | undefined;
};
export type ResponseEnvelope = {
	readonly kind: "response";
	readonly id: RequestId;
	readonly idSpan: Span;
	readonly result: ResultSpans;
};
/** JSON-RPC allows `id: null` here, when the peer could not tell which request it refused. */
export type ErrorResponseEnvelope = {
	readonly kind: "error-response";
	readonly id: RequestId | undefined;
	readonly idSpan: Span;
	readonly error: ErrorSpans;
};
/** At most one of `id` and `answers` is set: the frame's id, if it could be read. */
export type InvalidEnvelope = {
	readonly kind: "invalid";
	readonly reason: InvalidReason;
	/** One line that names the member, what was expected and what came; contains no payload. */
	readonly detail: string;
	/** Byte offset at which the frame stopped being valid. */
	readonly at: number;
	/** Set when a method was read too: the sender made this request, so it can be refused under this id. */
	readonly id: RequestId | undefined;
	/** Set when no method was read: the frame may be the only answer to the other side's request of this id. */
	readonly answers: RequestId | undefined;
};

/** What kind of message a frame is, without its payload; spans say where its parts are. */
export type Envelope =
	| RequestEnvelope
	| NotificationEnvelope
	| ResponseEnvelope
	| ErrorResponseEnvelope
	| InvalidEnvelope;

/** Why a frame is not a JSON-RPC message, with the JSON-RPC code and text of its refusal. */
export const INVALID_FRAME = {
	not_utf8: { code: RPC_CODES.parseError, says: "the frame is not valid UTF-8" },
	not_json: { code: RPC_CODES.parseError, says: "the frame is not valid JSON" },
	too_deep: {
		code: RPC_CODES.invalidRequest,
		says: `the frame nests deeper than ${MAX_DEPTH} levels; send such data as text`,
	},
	batch: { code: RPC_CODES.invalidRequest, says: "the frame is a batch; send one message to a frame" },
	not_object: { code: RPC_CODES.invalidRequest, says: "the frame is not a JSON object" },
	duplicate_member: { code: RPC_CODES.invalidRequest, says: "a member appears twice in one object" },
	wrong_version: { code: RPC_CODES.invalidRequest, says: "jsonrpc must be the string 2.0" },
	bad_id: { code: RPC_CODES.invalidRequest, says: "id must be a number or a string of moderate length" },
	bad_method: { code: RPC_CODES.invalidRequest, says: "method must be a non-empty string" },
	bad_params: { code: RPC_CODES.invalidRequest, says: "params must be an object or an array" },
	bad_error: {
		code: RPC_CODES.invalidRequest,
		says: "error must be an object with an integer code and a string message",
	},
	not_a_message: {
		code: RPC_CODES.invalidRequest,
		says: "the frame must have a method, or an id with exactly one of result and error",
	},
} as const;

export type InvalidReason = keyof typeof INVALID_FRAME;
