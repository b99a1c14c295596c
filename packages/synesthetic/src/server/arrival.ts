import {
	INVALID_FRAME,
	type InvalidEnvelope,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	scanEnvelope,
} from "libmcp/serve";
import { PAYLOAD_TOO_LARGE } from "../results.ts";
import { errorText, resultText } from "./answers.ts";
import type { PlainFrame } from "./plainFrame.ts";

/** What came in one frame and is owed an answer. */
export type Arrival =
	| { readonly kind: "plain"; readonly plain: PlainFrame; readonly frame: Buffer }
	| { readonly kind: "request"; readonly request: RequestEnvelope; readonly frame: Buffer }
	| Refusal;

type Refusal = { readonly kind: "refusal"; readonly text: string };

/** A line over the limit, of which nothing was kept. */
export const OVERSIZE: Refusal = { kind: "refusal", text: resultText("null", PAYLOAD_TOO_LARGE) };

export function idOf(arrival: Arrival): RequestId | undefined {
	switch (arrival.kind) {
		case "plain":
			return arrival.plain.id;
		case "request":
			return arrival.request.id;
		case "refusal":
			return undefined;
	}
}

/** Whether its frame lies in the memory. */
export function isIn(arrival: Arrival, memory: ArrayBufferLike): boolean {
	return arrival.kind !== "refusal" && arrival.frame.buffer === memory;
}

/** What looked like a plain request and was not: a request after all, written otherwise, or none. */
export function readAgain(frame: Buffer): Arrival {
	const envelope = scanEnvelope(frame);
	if (envelope.kind === "request") return { kind: "request", request: envelope, frame };
	if (envelope.kind === "invalid") return refusal(envelope);
	return { kind: "refusal", text: errorText("null", protocolError("INVALID_REQUEST", "the frame is no request")) };
}

// Text that is not JSON has no id, whatever its first bytes look like.
export function refusal({ reason, detail, id }: InvalidEnvelope): Refusal {
	const unreadable = INVALID_FRAME[reason].code === -32700;
	const error = protocolError(unreadable ? "PARSE_ERROR" : "INVALID_REQUEST", detail, { reason });
	return { kind: "refusal", text: errorText(unreadable ? "null" : (id ?? "null"), error) };
}
