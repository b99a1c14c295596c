import {
	type Envelope,
	INVALID_FRAME,
	type InvalidEnvelope,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	RPC_CODES,
	scanEnvelope,
} from "libmcp/serve";
import { readMember } from "../../json/jsonValue.ts";
import { parseSpelt } from "../../json/parseJson.ts";
import { textModule } from "../../text/textModule.ts";
import { BEFORE_ID, joinLine, LARGEST_READ_BY_HOST, type Line, writeError } from "./lines.ts";
import { type FramedPlain, findMessageId, readLeniently } from "./plainFrame.ts";

/** A frame that must be answered. */
export type Arrival =
	| ({ readonly kind: "plain" } & FramedPlain)
	| { readonly kind: "request"; readonly request: RequestEnvelope; readonly frame: Buffer }
	| Refusal;

export type Refusal = { readonly kind: "refusal"; readonly text: string };

export function findArrivalId(arrival: Arrival): RequestId | undefined {
	switch (arrival.kind) {
		case "plain":
			return arrival.plain.id;
		case "request":
			return arrival.request.id;
		case "refusal":
			return undefined;
	}
}

/** Replaces the stand-in id in an answer with the id that the client sent. */
export function restoreOwnId(arrival: Arrival, answer: Line): Line {
	if (arrival.kind !== "plain" || arrival.plain.ownId === undefined) return answer;
	const { id, ownId } = arrival.plain;
	const text = joinLine(answer).toString();
	return BEFORE_ID + ownId + text.slice(BEFORE_ID.length + id.length);
}

/** Whether the arrival's frame lies in this memory. */
export function isInMemory(arrival: Arrival, memory: ArrayBufferLike): boolean {
	return arrival.kind !== "refusal" && arrival.frame.buffer === memory;
}

/**
 * The envelope of a frame; undefined when it is not JSON. The envelope scanner does not check the contents of strings, so
 * frames that may be malformed there are parsed too.
 */
export function readFrame(frame: Buffer): Envelope | undefined {
	const envelope = scanEnvelope(frame);
	if (envelope.kind !== "invalid" && !MAY_BE_MALFORMED.test(frame.toString("latin1"))) return envelope;
	return isUnreadable(envelope) || isJson(frame) ? envelope : undefined;
}

/** Turns a frame into a request, a plain request that only a lenient reader accepts, or a refusal. */
export function readArrival(envelope: Envelope | undefined, frame: Buffer): Arrival {
	if (envelope?.kind === "request") return { kind: "request", request: envelope, frame };
	if (envelope?.kind !== "invalid") return NO_JSON;
	const written = readLeniently(frame, envelope);
	return written === undefined ? refusal(envelope, frame) : { kind: "plain", ...written };
}

/** Reads a frame in full after reading only its head failed. It may still be a request, or not even JSON. */
export function readAgain(frame: Buffer): Arrival {
	return readArrival(readFrame(frame), frame);
}

/** Whether the frame is a request, read in full. */
export function isRequest(frame: Buffer): boolean {
	return readAgain(frame).kind === "request";
}

// Escapes and control characters, which the envelope scanner does not check.
const MAY_BE_MALFORMED = /[^ -[\]-\u00ff]/;
const NO_JSON: Refusal = {
	kind: "refusal",
	text: writeError("null", protocolError("PARSE_ERROR", INVALID_FRAME.not_json.says)),
};

// Text that is not JSON has no id, whatever its first bytes look like.
function refusal(refused: InvalidEnvelope, frame: Buffer): Refusal {
	const { reason, detail } = refused;
	const unreadable = isUnreadable(refused);
	// An empty method is a method here, one that no tool has.
	const says = reason === "bad_method" ? detail.replace("a non-empty string", "a string") : detail;
	const error = protocolError(unreadable ? "PARSE_ERROR" : "INVALID_REQUEST", says, { reason });
	return { kind: "refusal", text: writeError(unreadable ? "null" : (refused.id ?? ownId(frame)), error) };
}

function isUnreadable(envelope: Envelope): boolean {
	return envelope.kind === "invalid" && INVALID_FRAME[envelope.reason].code === RPC_CODES.parseError;
}

// An invalid request is answered under its own id. A response's id names no request of the client, so it gets null.
function ownId(frame: Buffer): string {
	const message = parseSpelt(frame.toString());
	if (readMember(message, "result") !== undefined || readMember(message, "error") !== undefined) return "null";
	return findMessageId(message) ?? "null";
}

function isJson(frame: Buffer): boolean {
	try {
		if (frame.length <= LARGEST_READ_BY_HOST && textModule()?.read(frame, 0, frame.length) === true) return true;
	} catch {
		// The module trapped: let `JSON.parse` decide.
	}
	try {
		JSON.parse(frame.toString());
		return true;
	} catch {
		return false;
	}
}
