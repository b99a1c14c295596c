import type { Buffer } from "node:buffer";
import type { ErrorResponseEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";

export type AnswerAtEnd = {
	/** What stands before the answer. */
	readonly before: Buffer;
	readonly frame: Buffer;
	readonly envelope: ResponseEnvelope | ErrorResponseEnvelope;
};

/**
 * The answer that ends a line which is no message: a program printed text to stdout and did not end the line. Finds no
 * other messages, because logs show those that a server has received, and only answers that are awaited.
 */
export function answerAtEnd(line: Buffer, isAwaited: (id: RequestId) => boolean): AnswerAtEnd | undefined {
	const start = line.indexOf(OPEN_BRACE, 1);
	if (start === -1 || !line.includes(JSONRPC, start)) return undefined;
	const text = line.toString("latin1", start);
	let tries = 0;
	for (const { index } of text.matchAll(MESSAGE_START)) {
		if (tries++ === MOST_TRIES) return undefined;
		const at = start + index;
		const frame = line.subarray(at);
		const envelope = scanEnvelope(frame);
		if (envelope.kind !== "response" && envelope.kind !== "error-response") continue;
		if (envelope.id === undefined || !isAwaited(envelope.id)) continue;
		return { before: line.subarray(0, at), frame, envelope };
	}
	return undefined;
}

const OPEN_BRACE = 0x7b;
const JSONRPC = '"jsonrpc"';
const MESSAGE_START = /\{\s*"(?:jsonrpc|id|result|error)"/g;
/** Each try may read the rest of the line. */
const MOST_TRIES = 16;
