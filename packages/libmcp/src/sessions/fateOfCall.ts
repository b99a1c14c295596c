import type { ExecutionKnowledge } from "../replay/decide.ts";
import { type Decision, decide } from "../replay/decide.ts";
import type { CallState } from "../store/store.ts";
import type { KeptCall } from "./keptSession.ts";

/** How often a call that may be repeated is run again because the process that ran it is gone. */
const MOST_REPEATS = 10;

/** What happens to a call whose process is gone, by the one rule for lost calls. */
export function fateOfCall({ state, attempts, contract }: Pick<KeptCall, "state" | "attempts" | "contract">): Decision {
	return decide(KNOWLEDGE[state], contract, undefined, { used: Math.max(0, attempts - 1), max: MOST_REPEATS });
}

/** What a state in the ledger says once the process that wrote it is gone. */
const KNOWLEDGE: Readonly<Record<CallState, ExecutionKnowledge>> = {
	accepted: "not_dispatched",
	dispatched: "outcome_unknown",
	answered: "completed",
};
