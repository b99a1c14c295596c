import { faultResponse } from "../fault/faultResponse.ts";
import { faultOf } from "../fault/faultTable.ts";
import { RpcError } from "../fault/rpcError.ts";
import { effectOfMethod, REPLAY_SAFE } from "../replay/effect.ts";
import type { RequestId } from "../wire/requestId.ts";
import { type Answer, errorAnswer } from "./outlet.ts";

/** Answers a request whose handler is not waited for any longer, with what a host says of such a request. */
export function givenUp(id: RequestId, method: string, reason: string): Answer {
	const detail = `${method.slice(0, 64)} was begun and not answered: ${reason}`;
	// Nobody here knows what a tool does, so a call of one may have taken effect.
	const fault = effectOfMethod(method) === REPLAY_SAFE ? "host_closing" : "outcome_unknown";
	const { code, message, data } = faultResponse(faultOf(fault, { detail }));
	return errorAnswer(id, new RpcError(code, message, data));
}
