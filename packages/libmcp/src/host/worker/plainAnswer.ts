import type { Buffer } from "node:buffer";
import type { ResponseEnvelope } from "../../wire/envelope.ts";
import { parseRequestId, type RequestId } from "../../wire/requestId.ts";

type OpenCalls = Pick<ReadonlyMap<RequestId, { readonly tool: string | undefined }>, "get">;

const CLOSE_BRACE = 0x7d;
/** Enough bytes for the id and the members around it. */
const END_BYTES = 160;

/**
 * Reads a result's envelope from one end of the frame; undefined when the frame must be scanned in full. Only for
 * workers that are our own program, whose payload needs no check.
 */
export function readPlainAnswer(frame: Buffer, calls: OpenCalls): ResponseEnvelope | undefined {
	if (frame[frame.length - 1] !== CLOSE_BRACE) return undefined;
	const head = frame.toString("latin1", 0, Math.min(END_BYTES, frame.length - 1));
	if (head.startsWith(ID_FIRST)) return idFirst(frame, head, calls);
	return head.startsWith(RESULT_FIRST) ? resultFirst(frame, calls) : undefined;
}

const ID_FIRST = '{"jsonrpc":"2.0","id":';
const AFTER_ID = ',"result":';

/** The member order that our own servers write. */
function idFirst(frame: Buffer, head: string, calls: OpenCalls): ResponseEnvelope | undefined {
	const start = ID_FIRST.length;
	const end = head.indexOf(AFTER_ID, start);
	const id = end === -1 ? undefined : parseRequestId(head.slice(start, end));
	const call = id && calls.get(id);
	// A tool's result must be scanned, because it may set `isError`.
	if (id === undefined || call === undefined || call.tool !== undefined) return undefined;
	return {
		kind: "response",
		id,
		idSpan: { start, end },
		result: { start: end + AFTER_ID.length, end: frame.length - 1, isError: false },
	};
}

const RESULT_FIRST = '{"result":{';
const RESULT_START = RESULT_FIRST.length - 1;
/** A single brace after `isError` closes the result, because the envelope's members follow. */
const LAST_MEMBERS = /(?:"isError":(true|false))?(\},"jsonrpc":"2\.0","id":)("[^"\\]*"|-?\d+)\}$/;

/** The member order that the SDK's server writes. */
function resultFirst(frame: Buffer, calls: OpenCalls): ResponseEnvelope | undefined {
	const tail = frame.toString("latin1", Math.max(RESULT_START, frame.length - END_BYTES));
	const [members, isError, between = "", text = ""] = LAST_MEMBERS.exec(tail) ?? [];
	const id = members === undefined ? undefined : parseRequestId(text);
	const call = id && calls.get(id);
	if (id === undefined || call === undefined) return undefined;
	if (call.tool !== undefined && isError === undefined) return undefined;
	const end = frame.length - 1;
	const start = end - text.length;
	return {
		kind: "response",
		id,
		idSpan: { start, end },
		result: { start: RESULT_START, end: start - between.length + 1, isError: isError === "true" },
	};
}
