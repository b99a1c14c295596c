import { type RequestId, writtenId } from "../wire/requestId.ts";
import { type Answer, refusalAnswer } from "./outlet.ts";
import { protocolError } from "./rpcErrors.ts";

/** Refuses a request whose id is in flight; sent without an id, because an answer under it would end that call. */
export function duplicateId(id: RequestId): Answer {
	const message = `id: a request with id ${id} is in flight`;
	return refusalAnswer(undefined, protocolError("DUPLICATE_ID", message, { id: writtenId(id) }));
}
