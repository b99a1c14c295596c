import type { Buffer } from "node:buffer";
import type { Span } from "./envelope.ts";

/** The JSON value at a span; undefined without a span, or when the text turns out not to be JSON. */
export function readSpan(frame: Buffer, span: Span | undefined): unknown {
	if (span === undefined) return undefined;
	try {
		return JSON.parse(spanText(frame, span));
	} catch {
		return undefined;
	}
}

export function spanText(frame: Buffer, { start, end }: Span): string {
	return frame.toString("utf8", start, end);
}
