/** What a declared contract lets the host do with a request whose worker died. */
export const ReplayContracts = {
	/** Running it again converges on the same observable result. */
	Convergent: "convergent",
	/** It may run again only after a probe has shown that the first attempt took no effect. */
	ProbeRequired: "probe_required",
	/** It must fail rather than run again. */
	NeverReplay: "never_replay",
} as const satisfies Record<string, ReplayContract>;

/** What an effect comes down to when a call is in doubt. */
export type ReplayContract = "convergent" | "probe_required" | "never_replay";

/** What is known of a request's execution. Dispatch counts from before its first byte is written. */
export type ExecutionKnowledge = "not_dispatched" | "in_flight" | "completed" | "outcome_unknown";

/** What a probe found. */
export type ProbeAnswer = "took_effect" | "no_effect" | "still_unknown";

/** Dispatches after the first that were made, and that are allowed. */
export type ReplayBudget = { readonly used: number; readonly max: number };
