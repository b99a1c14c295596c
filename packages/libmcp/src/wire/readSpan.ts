import type { Buffer } from "node:buffer";
import type { Span } from "./envelope.ts";
import { rawJson } from "./rawJson.ts";

/** The JSON value at a span; undefined without a span, or when the text turns out not to be JSON. */
export function readSpan(frame: Buffer, span: Span | undefined, reviver?: Reviver): unknown {
	if (span === undefined) return undefined;
	try {
		return JSON.parse(spanText(frame, span), reviver);
	} catch {
		return undefined;
	}
}

/** Like `readSpan`, but `JSON.stringify` writes every number of it as it came: `1.0`, or an id beyond 2^53. */
export function readSpanExactly(frame: Buffer, span: Span | undefined): unknown {
	return readSpan(frame, span, (_, value, { source } = {}) =>
		typeof value === "number" && source !== undefined && String(value) !== source ? rawJson(source) : value,
	);
}

export function spanText(frame: Buffer, { start, end }: Span): string {
	return frame.toString("utf8", start, end);
}

/** `source`: the text of a value that is neither an object nor an array. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;
