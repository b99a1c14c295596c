import { Buffer } from "node:buffer";
import { parseRequestId, type RequestId } from "./requestId.ts";

/** The id of a message that is unreadable from its beginning: many peers write the id as the last member. */
export function lastId(tail: Buffer): RequestId | undefined {
	// The last brace closes the message itself, so a scalar member right before it belongs to the envelope.
	const text = LAST_ID.exec(tail.toString("latin1"))?.[1];
	return text === undefined ? undefined : parseRequestId(Buffer.from(text, "latin1").toString());
}

const LAST_ID = /,\s*"id"\s*:\s*(-?[\d.eE+-]+|"(?:[^"\\]|\\.)*")\s*\}\s*$/;
