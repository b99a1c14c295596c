import { type RequestId, writtenId } from "../wire/requestId.ts";
import { type Answer, errorAnswer } from "./outlet.ts";
import { protocolError } from "./rpcErrors.ts";

/** Refuses a request whose id is in flight; sent without an id, because an answer under it would end that call. */
export function duplicateId(id: RequestId): Answer {
	const message = `id: a request with id ${id} is in flight`;
	return errorAnswer(undefined, protocolError("DUPLICATE_ID", message, { id: writtenId(id) }), true);
}
