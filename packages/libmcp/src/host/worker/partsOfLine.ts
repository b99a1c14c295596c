import type { Buffer } from "node:buffer";
import { batchItems } from "../../wire/batchItems.ts";
import type { Envelope, InvalidEnvelope } from "../../wire/envelope.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import { answerOnLine } from "./answerOnLine.ts";

type LinePart = { readonly bytes: Buffer; readonly envelope: Envelope };
type Unread = LinePart & { readonly envelope: InvalidEnvelope };

/**
 * What a line that is no message consists of: the messages of a batch, an answer with stray text around it, or stray
 * text alone. Lazy, because an answer that has been taken is awaited no more.
 */
export function* partsOfLine(line: Unread, isAwaited: (id: RequestId) => boolean): Generator<LinePart> {
	const { bytes, envelope } = line;
	if (envelope.reason === "batch" && bytes.includes(JSONRPC)) {
		// A batch in a batch is none, and would be read again at each level.
		for (const item of batchItems(bytes)) yield { bytes: item, envelope: scanEnvelope(item) };
	} else {
		const answer = answerOnLine(bytes, isAwaited);
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
	if (envelope.kind === "invalid") yield* partsOfLine({ bytes, envelope }, isAwaited);
	else yield { bytes, envelope };
}

const JSONRPC = '"jsonrpc"';
