import type { Buffer } from "node:buffer";
import type { Envelope, ErrorResponseEnvelope, InvalidEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import { ScanState, skipValue } from "../../wire/jsonSkip.ts";
import { splitBatch } from "../../wire/members.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";

type LinePart = { readonly bytes: Buffer; readonly envelope: Envelope };
type Unread = LinePart & { readonly envelope: InvalidEnvelope };

/**
 * What a line that is no message consists of: the messages of a batch, an answer with stray text around it, or stray
 * text alone. Lazy, because an answer that has been taken is awaited no more.
 */
export function* splitLine(line: Unread, isAwaited: (id: RequestId) => boolean): Generator<LinePart> {
	const { bytes, envelope } = line;
	if (envelope.reason === "batch" && bytes.includes(JSONRPC)) {
		// A batch in a batch is none, and would be read again at each level.
		for (const item of splitBatch(bytes)) yield { bytes: item, envelope: scanEnvelope(item) };
	} else {
		const answer = findAnswerOnLine(bytes, isAwaited);
		if (answer === undefined) {
			yield line;
			return;
		}
		const { before, frame, after } = answer;
		yield* read(before, isAwaited);
		yield { bytes: frame, envelope: answer.envelope };
		yield* read(after, isAwaited);
	}
}

function* read(bytes: Buffer, isAwaited: (id: RequestId) => boolean): Generator<LinePart> {
	if (bytes.length === 0) return;
	const envelope = scanEnvelope(bytes);
	if (envelope.kind === "invalid") yield* splitLine({ bytes, envelope }, isAwaited);
	else yield { bytes, envelope };
}

const JSONRPC = '"jsonrpc"';

type AnswerOnLine = {
	readonly before: Buffer;
	readonly frame: Buffer;
	readonly envelope: ResponseEnvelope | ErrorResponseEnvelope;
	readonly after: Buffer;
};

/**
 * The answer that begins or ends a line which is no message: a program printed text to stdout and did not end the line,
 * or one of its threads did before the answer's own newline. Finds no other messages, because logs show those that a
 * server has received, and only answers that are awaited.
 */
export function findAnswerOnLine(line: Buffer, isAwaited: (id: RequestId) => boolean): AnswerOnLine | undefined {
	const first = line[0] === OPEN_BRACE ? skipValue(new ScanState(), line, 0, 0) : -1;
	return (first === -1 ? undefined : answerAt(line, 0, first, isAwaited)) ?? answerAtEnd(line, isAwaited);
}

function answerAtEnd(line: Buffer, isAwaited: (id: RequestId) => boolean): AnswerOnLine | undefined {
	const start = line.indexOf(OPEN_BRACE, 1);
	if (start === -1 || !line.includes(JSONRPC, start)) return undefined;
	const text = line.toString("latin1", start);
	let tries = 0;
	for (const { index } of text.matchAll(MESSAGE_START)) {
		if (tries++ === MOST_TRIES) return undefined;
		const found = answerAt(line, start + index, line.length, isAwaited);
		if (found !== undefined) return found;
	}
	return undefined;
}

function answerAt(
	line: Buffer,
	start: number,
	end: number,
	isAwaited: (id: RequestId) => boolean,
): AnswerOnLine | undefined {
	const frame = line.subarray(start, end);
	const envelope = scanEnvelope(frame);
	if (envelope.kind !== "response" && envelope.kind !== "error-response") return undefined;
	if (envelope.id === undefined || !isAwaited(envelope.id)) return undefined;
	return { before: line.subarray(0, start), frame, envelope, after: line.subarray(end) };
}

const OPEN_BRACE = 0x7b;
const MESSAGE_START = /\{\s*"(?:jsonrpc|id|result|error)"/g;
/** Each try may read the rest of the line. */
const MOST_TRIES = 16;
