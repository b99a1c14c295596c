import { Buffer, isUtf8 } from "node:buffer";
import {
	type Envelope,
	type ErrorSpans,
	INVALID_FRAME,
	type InvalidEnvelope,
	type InvalidReason,
	type ParamsSpans,
	type Span,
} from "./envelope.ts";
import { OVERSIZE_EDGE_BYTES } from "./frame.ts";
import { CLOSE_BRACE, OPEN_BRACE, OPEN_BRACKET, QUOTE, ScanState, skipSpace, skipValue } from "./jsonSkip.ts";
import { prepareMembers, readString, scanMembers } from "./members.ts";
import { MAX_ID_BYTES, parseRequestId, type RequestId } from "./requestId.ts";

/**
 * Reads the envelope of one frame in one pass over its bytes, without building the payload.
 *
 * Checks UTF-8, JSON grammar, nesting, the JSON-RPC shape, and repeated members of the envelope and of every member named
 * in `Envelope`. Leaves repeated members deeper down and the contents of strings (see `skipValue`) to the endpoint.
 */
export function scanEnvelope(frame: Buffer): Envelope {
	slots.fill(-1);
	const last = lastByte(frame);
	const start = last === -1 ? 0 : skipSpace(frame, 0);
	if (!isUtf8(frame)) return notUtf8(frame, start);
	if (frame[start] !== OPEN_BRACE) return notAnObject(frame, start);
	if (frame[last] !== CLOSE_BRACE) return brokenOff(frame, start);
	const state = new ScanState();
	const end = scanMembers(state, frame, start, 0, ENVELOPE, slots);
	if (end === -1) return scanFailure(frame, state);
	if (end !== last + 1) return invalid("not_json", end);
	return classify(frame);
}

const SLOT = {
	jsonrpc: 0,
	id: 1,
	method: 2,
	params: 3,
	result: 4,
	error: 5,
	name: 6,
	uri: 7,
	arguments: 8,
	requestId: 9,
	progressToken: 10,
	meta: 11,
	metaProgressToken: 12,
	metaProtocolVersion: 13,
	isError: 14,
	code: 15,
	message: 16,
} as const;

const META = prepareMembers([
	{ name: "progressToken", slot: SLOT.metaProgressToken },
	{ name: "io.modelcontextprotocol/protocolVersion", slot: SLOT.metaProtocolVersion },
]);
const PARAMS = prepareMembers([
	{ name: "name", slot: SLOT.name },
	{ name: "arguments", slot: SLOT.arguments },
	{ name: "_meta", slot: SLOT.meta, inside: META },
	{ name: "uri", slot: SLOT.uri },
	{ name: "requestId", slot: SLOT.requestId },
	{ name: "progressToken", slot: SLOT.progressToken },
]);
const RESULT = prepareMembers([{ name: "isError", slot: SLOT.isError }]);
const ERROR = prepareMembers([
	{ name: "code", slot: SLOT.code },
	{ name: "message", slot: SLOT.message },
]);
const ENVELOPE = prepareMembers(
	[
		{ name: "jsonrpc", slot: SLOT.jsonrpc },
		{ name: "id", slot: SLOT.id },
		{ name: "method", slot: SLOT.method },
		{ name: "params", slot: SLOT.params, inside: PARAMS },
		{ name: "result", slot: SLOT.result, inside: RESULT },
		{ name: "error", slot: SLOT.error, inside: ERROR },
	],
	true,
);

// Scanning is synchronous and never nests, so one scratch array serves every frame.
const slots = new Int32Array(2 * Object.keys(SLOT).length);

function classify(frame: Buffer): Envelope {
	const version = span(SLOT.jsonrpc);
	if (version === undefined || !isTwoPointZero(frame, version)) {
		return invalid("wrong_version", version?.start ?? 0, frame);
	}
	const idSpan = span(SLOT.id);
	const id = idSpan && readId(frame, idSpan);
	const nullId = idSpan !== undefined && isNull(frame, idSpan);
	if (idSpan !== undefined && id === undefined && !nullId) return invalid("bad_id", idSpan.start);
	const method = span(SLOT.method);
	const result = span(SLOT.result);
	const error = span(SLOT.error);
	if (method !== undefined) {
		if (result !== undefined || error !== undefined) return invalid("not_a_message", method.start, frame);
		if (nullId) return invalid("bad_id", idSpan.start);
		const name = readString(frame, method.start, method.end);
		if (name === undefined || name === "") return invalid("bad_method", method.start, frame);
		const params = paramsSpans();
		if (params !== undefined && !isContainer(frame[params.start])) return invalid("bad_params", params.start, frame);
		if (idSpan === undefined || id === undefined) return { kind: "notification", method: name, params };
		return { kind: "request", id, idSpan, method: name, params };
	}
	if (idSpan === undefined || (result === undefined) === (error === undefined))
		return invalid("not_a_message", 0, frame);
	if (error !== undefined) {
		const parts = errorSpans(frame, error);
		if (parts === undefined) return invalid("bad_error", error.start, frame);
		return { kind: "error-response", id, idSpan, error: parts };
	}
	if (id === undefined || result === undefined) return invalid("bad_id", idSpan.start);
	const isError = frame[slots[2 * SLOT.isError] ?? -1] === LOWER_T;
	return { kind: "response", id, idSpan, result: { ...result, isError } };
}

function span(slot: number): Span | undefined {
	const start = slots[2 * slot];
	const end = slots[2 * slot + 1];
	return start === undefined || end === undefined || start === -1 || end === -1 ? undefined : { start, end };
}

function paramsSpans(): ParamsSpans | undefined {
	const params = span(SLOT.params);
	return (
		params && {
			start: params.start,
			end: params.end,
			name: span(SLOT.name),
			uri: span(SLOT.uri),
			arguments: span(SLOT.arguments),
			requestId: span(SLOT.requestId),
			progressToken: span(SLOT.progressToken),
			meta: span(SLOT.meta),
			metaProgressToken: span(SLOT.metaProgressToken),
			metaProtocolVersion: span(SLOT.metaProtocolVersion),
		}
	);
}

function errorSpans(frame: Buffer, error: Span): ErrorSpans | undefined {
	const code = span(SLOT.code);
	const message = span(SLOT.message);
	if (code === undefined || message === undefined || frame[message.start] !== QUOTE) return undefined;
	// Compared by value, since some peers write `-32601.0`.
	const integer = Number.isInteger(Number(frame.toString("latin1", code.start, code.end)));
	return integer ? { ...error, code, message } : undefined;
}

function isTwoPointZero(frame: Buffer, { start, end }: Span): boolean {
	if (end - start === 5) {
		return (
			frame[start] === QUOTE && frame[start + 1] === 0x32 && frame[start + 2] === 0x2e && frame[start + 3] === 0x30
		);
	}
	return readString(frame, start, end) === "2.0";
}

function readId(frame: Buffer, at: Span): RequestId | undefined {
	return at.end - at.start > MAX_ID_BYTES ? undefined : parseRequestId(frame.toString("utf8", at.start, at.end));
}

function isNull(frame: Buffer, at: Span): boolean {
	return frame[at.start] === LOWER_N;
}

function isContainer(c: number | undefined): boolean {
	return c === OPEN_BRACE || c === OPEN_BRACKET;
}

/** The offset of the last byte that is not white space; -1 when there is none. */
function lastByte(frame: Buffer): number {
	let last = frame.length - 1;
	while (last >= 0 && isSpace(frame[last])) last--;
	return last;
}

function isSpace(c: number | undefined): boolean {
	return c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
}

/** For a frame that starts as an object and does not end as one: it is invalid, but its id may be readable. */
function brokenOff(frame: Buffer, start: number): InvalidEnvelope {
	const closed = Buffer.concat([frame, BREAK]);
	const state = new ScanState();
	scanMembers(state, closed, start, 0, ENVELOPE, slots);
	return scanFailure(closed, state);
}

/** For a frame that is not UTF-8: an id before or after the wrong bytes may be readable. */
function notUtf8(frame: Buffer, start: number): InvalidEnvelope {
	const state = new ScanState();
	const closed = Buffer.concat([frame, BREAK]);
	if (closed[start] === OPEN_BRACE) scanMembers(state, closed, start, 0, ENVELOPE, slots);
	return invalid("not_utf8", firstWrongByte(frame), state.member === "id" ? undefined : closed);
}

/** Decoding replaces what is not UTF-8, so the bytes of the decoded text differ from there on. */
function firstWrongByte(frame: Buffer): number {
	const decoded = Buffer.from(frame.toString("utf8"));
	let at = 0;
	while (at < frame.length && frame[at] === decoded[at]) at++;
	return at;
}

function notAnObject(frame: Buffer, at: number): InvalidEnvelope {
	const state = new ScanState();
	const end = skipValue(state, frame, at, 0);
	if (end === -1) return invalid(state.failure ?? "not_json", state.failedAt);
	if (skipSpace(frame, end) !== frame.length) return invalid("not_json", end);
	return invalid(frame[at] === OPEN_BRACKET ? "batch" : "not_object", at);
}

function scanFailure(frame: Buffer, state: ScanState): InvalidEnvelope {
	if (state.failure === "duplicate_member") {
		const refused = invalid("duplicate_member", state.failedAt, state.member === "id" ? undefined : frame);
		return { ...refused, detail: `${refused.detail}: ${JSON.stringify(state.member.slice(0, 64))}` };
	}
	return invalid(state.failure ?? "not_json", state.failedAt, frame);
}

/** With `frame`, reads the id if possible, so that the request it belongs to can be failed. */
function invalid(reason: InvalidReason, at: number, frame?: Buffer): InvalidEnvelope {
	const own = frame && ownId(frame, at);
	const asks = span(SLOT.method) !== undefined;
	const detail = `${INVALID_FRAME[reason].says} (byte ${at})`;
	return { kind: "invalid", reason, detail, at, id: asks ? own : undefined, answers: asks ? undefined : own };
}

/** The id that the scan passed before it stopped, else the last member, if the frame goes on after that. */
function ownId(frame: Buffer, stopped: number): RequestId | undefined {
	const at = span(SLOT.id);
	if (at === undefined) return stopped < frame.length ? findLastId(frame.subarray(-OVERSIZE_EDGE_BYTES)) : undefined;
	return isUtf8(frame.subarray(at.start, at.end)) ? readId(frame, at) : undefined;
}

// No JSON value contains a bare NUL, so scanning a broken frame fails there at the latest; the brace bounds the scan.
const BREAK = Buffer.from("\0}");
const LOWER_T = 0x74;
const LOWER_N = 0x6e;

/** The id of a message that is unreadable from its beginning: many peers write the id as the last member. */
export function findLastId(tail: Buffer): RequestId | undefined {
	// The last brace closes the message itself, so a scalar member right before it belongs to the envelope.
	const text = LAST_ID.exec(tail.toString("latin1"))?.[1];
	return text === undefined ? undefined : parseRequestId(Buffer.from(text, "latin1").toString());
}

const LAST_ID = /,\s*"id"\s*:\s*(-?[\d.eE+-]+|"(?:[^"\\]|\\.)*")\s*\}\s*$/;
