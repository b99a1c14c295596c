import type { Buffer } from "node:buffer";
import { batchItems } from "../../wire/batchItems.ts";
import type { Envelope } from "../../wire/envelope.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import { answerOnLine } from "./answerOnLine.ts";

export type LinePart = { readonly bytes: Buffer; readonly envelope: Envelope };

/**
 * What a line of a worker's output consists of: a message or stray text, the messages of a batch, or an answer with
 * stray text around it. Lazy, because an answer that has been taken is awaited no more.
 */
export function* partsOfLine(line: LinePart, isAwaited: (id: RequestId) => boolean): Generator<LinePart> {
	const { bytes, envelope } = line;
	if (envelope.kind !== "invalid") {
		yield line;
	} else if (envelope.reason === "batch" && bytes.includes(JSONRPC)) {
		// A batch in a batch is none, and would be read again at each level.
		for (const item of batchItems(bytes)) yield { bytes: item, envelope: scanEnvelope(item) };
	} else {
		const answer = answerOnLine(bytes, isAwaited);
		if (answer === undefined) {
			yield line;
			return;
		}
		const { before, frame, after } = answer;
		if (before.length > 0) yield* partsOfLine(asLine(before), isAwaited);
		yield { bytes: frame, envelope: answer.envelope };
		if (after.length > 0) yield* partsOfLine(asLine(after), isAwaited);
	}
}

function asLine(bytes: Buffer): LinePart {
	return { bytes, envelope: scanEnvelope(bytes) };
}

const JSONRPC = '"jsonrpc"';
