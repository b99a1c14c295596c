/** What happens to a call whose worker died. */
export type Decision =
	| "first_dispatch"
	| "await_answer"
	| "already_answered"
	| "replay"
	| "probe"
	| "complete_from_probe"
	| "reject_ambiguous"
	| "reject_exhausted"
	| "reject_unexpected_probe";

/**
 * The only place that allows a replay, defined for every combination of its four inputs. None of them describes the
 * process (a restart, a rollout, a hint), so nothing of that kind can make a request repeatable.
 */
export function decide(
	knowledge: ExecutionKnowledge,
	contract: ReplayContract,
	probe: ProbeAnswer | undefined,
	budget: ReplayBudget,
): Decision {
	if (probe !== undefined && !(knowledge === "outcome_unknown" && contract === "probe_required")) {
		return "reject_unexpected_probe";
	}
	switch (knowledge) {
		case "not_dispatched":
			return "first_dispatch";
		case "in_flight":
			return "await_answer";
		case "completed":
			return "already_answered";
		case "outcome_unknown":
			return decideUnknown(contract, probe, budget);
	}
}

function decideUnknown(contract: ReplayContract, probe: ProbeAnswer | undefined, budget: ReplayBudget): Decision {
	switch (contract) {
		case "convergent":
			return budget.used < budget.max ? "replay" : "reject_exhausted";
		case "never_replay":
			return "reject_ambiguous";
		case "probe_required":
			return decideProbed(probe, budget);
	}
}

function decideProbed(probe: ProbeAnswer | undefined, budget: ReplayBudget): Decision {
	switch (probe) {
		case undefined:
			return "probe";
		case "took_effect":
			return "complete_from_probe";
		case "no_effect":
			return budget.used < budget.max ? "replay" : "reject_exhausted";
		case "still_unknown":
			return "reject_ambiguous";
	}
}

/** What the host may do with a request whose worker died, by its declared contract. */
export const ReplayContracts = {
	/** Running it again converges on the same observable result. */
	Convergent: "convergent",
	/** It may run again only after a probe has shown that the first attempt took no effect. */
	ProbeRequired: "probe_required",
	/** It must fail instead of running again. */
	NeverReplay: "never_replay",
} as const satisfies Record<string, ReplayContract>;

/** What an effect means for a call in doubt. */
export type ReplayContract = "convergent" | "probe_required" | "never_replay";

/** How much is known of a request's execution. A request counts as dispatched before its first byte is written. */
export type ExecutionKnowledge = "not_dispatched" | "in_flight" | "completed" | "outcome_unknown";

/** What a probe found. */
export type ProbeAnswer = "took_effect" | "no_effect" | "still_unknown";

/** How many repeated dispatches were made, and how many are allowed. */
export type ReplayBudget = { readonly used: number; readonly max: number };
