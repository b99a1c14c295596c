import { isRpcError, RPC_CODES, type RpcContext } from "libmcp";
import { isObject } from "../contract/json.ts";
import type { BackendCall } from "../run/backend.ts";
import { callDigest } from "../run/callDigest.ts";
import { SuspendedCall, SuspendedCalls } from "../run/suspendedCalls.ts";

/** How a running call can ask its user a question, and when it must stop. */
export type Asking = { readonly signal: AbortSignal } & Pick<BackendCall, "ask" | "caller">;

/**
 * Forwards questions that servers ask during a call to the calling client: over its session if it has one, otherwise by an
 * `input_required` result, after which the client calls again with the answers.
 */
export class AskingRounds {
	readonly #suspended = new SuspendedCalls();

	async call(params: unknown, context: RpcContext, run: (asking: Asking) => Promise<unknown>): Promise<unknown> {
		const { era, client, session, principal, signal } = context;
		const canBeAsked = isObject(client.capabilities.elicitation);
		if (era === "legacy") {
			const ask: BackendCall["ask"] = (asked, withdrawn) =>
				context.request("elicitation/create", { ...asked }, withdrawn).catch(unreached);
			return run(session !== undefined && canBeAsked ? { signal, ask, caller: session } : { signal });
		}
		const asked = isObject(params) ? params : {};
		const { inputResponses, requestState } = asked;
		if (!canBeAsked && requestState === undefined) return run({ signal });
		const owner = principal?.id;
		const digest = callDigest("tools/call", asked);
		const call =
			requestState === undefined ? this.#begin(owner, digest, run) : this.#suspended.take(requestState, owner, digest);
		const result = await call.round(context, inputResponses);
		if (!call.over) this.#suspended.keep(call);
		return result;
	}

	#begin(owner: string | undefined, digest: string, run: (asking: Asking) => Promise<unknown>): SuspendedCall {
		const call = new SuspendedCall(owner, digest);
		const ask: BackendCall["ask"] = (asked, withdrawn) => call.ask("elicitation/create", asked, withdrawn);
		// Not its owner: another call of the same owner cannot pass this one's question on to its client.
		call.run(run({ signal: call.signal, ask, caller: call }));
		return call;
	}
}

/** A question that does not get to the client counts as dismissed. */
function unreached(thrown: unknown): undefined {
	if (!isRpcError(thrown) || thrown.code !== RPC_CODES.missingCapability) throw thrown;
}
