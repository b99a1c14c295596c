import { Buffer } from "node:buffer";
import type { Span } from "./envelope.ts";
import type { RequestId } from "./requestId.ts";
import { type SpanEdit, spliceSpans } from "./spliceId.ts";

/** Replaces spans of a frame. The result's buffer also holds a newline after it, so that the sink need not add one. */
export function rewrite(frame: Buffer, edits: readonly SpanEdit[]): Buffer {
	return Buffer.concat(spliceSpans(frame, edits)).subarray(0, -1);
}

export function withId(frame: Buffer, idSpan: Span, id: RequestId): Buffer {
	return rewrite(frame, [{ span: idSpan, text: id }]);
}
