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
