import { isRpcError, RPC_CODES, type RpcContext } from "libmcp";
import { STEP_ERROR } from "../../chain/chain.ts";
import { isObject } from "../../contract/json.ts";
import type { BackendCall, ToolProgress } from "../../run/backend.ts";
import { digestCall, type Round, readProgressToken, SuspendedCall, SuspendedCalls } from "../../run/suspendedCalls.ts";

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

/** Progress of one run under the caller's token: what the runner reports, or else a start and an end. */
export type RunProgress = {
	start(total: number): void;
	forward(update: ToolProgress): void;
	end(outcome: "completed" | "error"): void;
};

/** Undefined unless the first request carries a progress token. */
export function createRunProgress(latest: () => Round): RunProgress | undefined {
	if (readProgressToken(latest()) === undefined) return undefined;
	let total = 1;
	let last: ToolProgress | undefined;
	let highest = 0;
	return {
		start(expected) {
			total = expected;
			latest().context.progress({ progress: 0, total, message: "started" });
		},
		forward(update) {
			last = update;
			// Rate limiting may drop an update right before the answer, so the final one is sent by `end`.
			if (isWhole(update) || isStepError(update)) return;
			highest = Math.max(highest, update.progress);
			latest().context.progress(update);
		},
		end(outcome) {
			const final = lastWord(last, total, outcome);
			const token = readProgressToken(latest());
			if (final !== undefined && final.progress > highest && token !== undefined)
				latest().context.notify("notifications/progress", { progressToken: token, ...final });
		},
	};
}

function isWhole({ progress, total }: ToolProgress): boolean {
	return total !== undefined && progress >= total;
}

/** The step at which a chain fails is the last that is heard of it. */
function isStepError({ message }: ToolProgress): boolean {
	return message === STEP_ERROR;
}

/** The final update: complete on success, synthesised if the runner reported nothing, else the step that failed. */
function lastWord(
	last: ToolProgress | undefined,
	total: number,
	outcome: "completed" | "error",
): ToolProgress | undefined {
	if (last === undefined) return { progress: total, total, message: outcome };
	if (isWhole(last)) return last;
	if (outcome === "error") return isStepError(last) ? last : undefined;
	return last.total === undefined ? undefined : { progress: last.total, total: last.total, message: outcome };
}
