import { isRpcError, RPC_CODES, type RpcContext } from "libmcp";
import { isObject } from "../contract/json.ts";
import type { BackendCall } from "../run/backend.ts";
import { digestCall, type Round, SuspendedCall, SuspendedCalls } from "../run/suspendedCalls.ts";

/** How a running call can ask its user a question, what the client has open meanwhile, and when it must stop. */
export type Asking = { readonly signal: AbortSignal; latest(): Round } & Pick<BackendCall, "ask" | "caller">;

/**
 * Forwards questions that servers ask during a call to the calling client: over its session if it has one, otherwise by an
 * `input_required` result, after which the client calls again with the answers.
 */
export class AskingRounds {
	readonly #suspended = new SuspendedCalls();

	async call(params: unknown, context: RpcContext, run: (asking: Asking) => Promise<unknown>): Promise<unknown> {
		const { era, client, session, principal, signal } = context;
		const round = { context, params };
		const alone = { signal, latest: () => round };
		const canBeAsked = takesForms(client.capabilities.elicitation);
		if (era === "legacy") {
			const ask: BackendCall["ask"] = (asked, withdrawn) =>
				context.request("elicitation/create", { ...asked }, withdrawn).catch(unreached);
			return run(session !== undefined && canBeAsked ? { ...alone, ask, caller: session } : alone);
		}
		const asked = isObject(params) ? params : {};
		const { requestState } = asked;
		if (!canBeAsked && requestState === undefined) return run(alone);
		const digest = digestCall("tools/call", asked);
		const call =
			requestState === undefined
				? this.#begin(digest, round, run)
				: this.#suspended.take(requestState, principal?.id, digest);
		const result = await call.round(round);
		if (!call.over) this.#suspended.keep(call);
		return result;
	}

	#begin(digest: string, first: Round, run: (asking: Asking) => Promise<unknown>): SuspendedCall {
		const call = new SuspendedCall(digest, first);
		const ask: BackendCall["ask"] = (asked, withdrawn) => call.ask("elicitation/create", asked, withdrawn);
		// Not its owner: another call of the same owner cannot pass this one's question on to its client.
		call.run(run({ signal: call.signal, latest: () => call.latest, ask, caller: call }));
		return call;
	}
}

/** Forms are what a client takes that names no mode. */
function takesForms(elicitation: unknown): boolean {
	return isObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

/** A question that does not get to the client counts as dismissed. */
function unreached(thrown: unknown): undefined {
	if (!isRpcError(thrown) || thrown.code !== RPC_CODES.missingCapability) throw thrown;
}
