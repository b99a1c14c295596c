import type { Buffer } from "node:buffer";
import type { ResponseEnvelope } from "../wire/envelope.ts";
import { parseRequestId, type RequestId } from "../wire/requestId.ts";
import type { Call } from "./call.ts";

const BEFORE_ID = '{"jsonrpc":"2.0","id":';
const AFTER_ID = ',"result":';
const HEAD_BYTES = 128;
const CLOSE_BRACE = 0x7d;

/**
 * The envelope of a result, read from its head alone; undefined when it must be read in full. Only for a private worker:
 * it is our own program, so what follows the head of an answer to an open call is the rest of that answer.
 */
export function plainAnswer(frame: Buffer, calls: ReadonlyMap<RequestId, Call>): ResponseEnvelope | undefined {
	const last = frame.length - 1;
	if (frame[last] !== CLOSE_BRACE) return undefined;
	const head = frame.toString("latin1", 0, Math.min(HEAD_BYTES, last));
	if (!head.startsWith(BEFORE_ID)) return undefined;
	const start = BEFORE_ID.length;
	const end = head.indexOf(AFTER_ID, start);
	const id = end === -1 ? undefined : parseRequestId(head.slice(start, end));
	// A tool's result must be looked into: it may say that the tool failed.
	const call = id && calls.get(id);
	if (id === undefined || call === undefined || call.tool !== undefined) return undefined;
	return {
		kind: "response",
		id,
		idSpan: { start, end },
		result: { start: end + AFTER_ID.length, end: last, isError: false },
	};
}
