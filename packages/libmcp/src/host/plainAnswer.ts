import type { Buffer } from "node:buffer";
import type { ResponseEnvelope } from "../wire/envelope.ts";
import { parseRequestId, type RequestId } from "../wire/requestId.ts";

type OpenCalls = Pick<ReadonlyMap<RequestId, { readonly tool: string | undefined }>, "get">;

const CLOSE_BRACE = 0x7d;
/** Enough bytes for the id and the envelope members beside it. */
const END_BYTES = 160;

/**
 * The envelope of a result, read from one end of the frame alone; undefined when the frame must be scanned in full.
 * Only for workers that are our own program, whose payload need not be checked.
 */
export function plainAnswer(frame: Buffer, calls: OpenCalls): ResponseEnvelope | undefined {
	if (frame[frame.length - 1] !== CLOSE_BRACE) return undefined;
	const head = frame.toString("latin1", 0, Math.min(END_BYTES, frame.length - 1));
	if (head.startsWith(ID_FIRST)) return idFirst(frame, head, calls);
	return head.startsWith(RESULT_FIRST) ? resultFirst(frame, calls) : undefined;
}

const ID_FIRST = '{"jsonrpc":"2.0","id":';
const AFTER_ID = ',"result":';

/** The member order of our own servers. */
function idFirst(frame: Buffer, head: string, calls: OpenCalls): ResponseEnvelope | undefined {
	const start = ID_FIRST.length;
	const end = head.indexOf(AFTER_ID, start);
	const id = end === -1 ? undefined : parseRequestId(head.slice(start, end));
	const call = id && calls.get(id);
	// A tool's result must be scanned: `isError` may be set in it.
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
/** The one brace after `isError` ends the result, for the envelope's own members come next. */
const LAST_MEMBERS = /(?:"isError":(true|false))?(\},"jsonrpc":"2\.0","id":)("[^"\\]*"|-?\d+)\}$/;

/** The member order of the SDK's server. */
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
