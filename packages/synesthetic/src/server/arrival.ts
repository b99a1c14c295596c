import {
	INVALID_FRAME,
	type InvalidEnvelope,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	scanEnvelope,
} from "libmcp/serve";
import { PAYLOAD_TOO_LARGE } from "../results.ts";
import { BEFORE_ID, errorText, resultText } from "./answers.ts";
import type { Line } from "./lineWriter.ts";
import type { PlainFrame } from "./plainFrame.ts";
import { readLeniently } from "./readLeniently.ts";

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

/** The answer to it, with its own id in the place of one that stood in for that. */
export function underOwnId(arrival: Arrival, answer: Line): Line {
	if (arrival.kind !== "plain" || arrival.plain.ownId === undefined) return answer;
	return BEFORE_ID + arrival.plain.ownId + answer.toString().slice(BEFORE_ID.length + arrival.plain.id.length);
}

/** Whether its frame lies in the memory. */
export function isIn(arrival: Arrival, memory: ArrayBufferLike): boolean {
	return arrival.kind !== "refusal" && arrival.frame.buffer === memory;
}

/** A frame that proved to be no plain request as it stood: a request after all, written otherwise, or none. */
export function readAgain(frame: Buffer): Arrival {
	const envelope = scanEnvelope(frame);
	if (envelope.kind === "invalid") return readLeniently(frame, envelope) ?? refusal(envelope);
	if (envelope.kind === "request" && isJson(frame)) return { kind: "request", request: envelope, frame };
	return { kind: "refusal", text: errorText("null", protocolError("PARSE_ERROR", "the frame is not valid JSON")) };
}

/** Whether the frame is a request, read in full. */
export function isRequest(frame: Buffer): boolean {
	return readAgain(frame).kind === "request";
}

// The envelope's reader does not look into strings; a control character there is found by a parser alone.
function isJson(frame: Buffer): boolean {
	try {
		JSON.parse(frame.toString());
		return true;
	} catch {
		return false;
	}
}

// Text that is not JSON has no id, whatever its first bytes look like.
export function refusal({ reason, detail, id }: InvalidEnvelope): Refusal {
	const unreadable = INVALID_FRAME[reason].code === -32700;
	const error = protocolError(unreadable ? "PARSE_ERROR" : "INVALID_REQUEST", detail, { reason });
	return { kind: "refusal", text: errorText(unreadable ? "null" : (id ?? "null"), error) };
}
