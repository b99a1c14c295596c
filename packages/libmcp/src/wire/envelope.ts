import type { InvalidReason } from "./invalidFrame.ts";
import type { RequestId } from "./requestId.ts";

/** Bytes `start` (inclusive) to `end` (exclusive) of a frame: one JSON value. */
export type Span = { readonly start: number; readonly end: number };

/** The members of `params` that decide where a message goes; each is a span of its value, read in the same pass. */
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
/** JSON-RPC allows `id: null` here, when the peer could not tell which request it refuses. */
export type ErrorResponseEnvelope = {
	readonly kind: "error-response";
	readonly id: RequestId | undefined;
	readonly idSpan: Span;
	readonly error: ErrorSpans;
};
/** Of the two ids at most one is there: the frame's own, as far as it could be read. */
export type InvalidEnvelope = {
	readonly kind: "invalid";
	readonly reason: InvalidReason;
	/** One line naming the member, what was expected and what came; holds no payload. */
	readonly detail: string;
	/** Byte offset where the frame stopped making sense. */
	readonly at: number;
	/** A method was read too: the id is the sender's, and a refusal can be addressed. */
	readonly id: RequestId | undefined;
	/** No method was read: it may be an answer, whose id names a request of the other side, and no other will come. */
	readonly answers: RequestId | undefined;
};

/** What a frame is, read without its payload; spans say where its parts lie. */
export type Envelope =
	| RequestEnvelope
	| NotificationEnvelope
	| ResponseEnvelope
	| ErrorResponseEnvelope
	| InvalidEnvelope;
