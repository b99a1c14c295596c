import { createFault, type Fault } from "../fault/fault.ts";
import type { ReplayBudget, ReplayContract } from "../replay/contract.ts";
import type { Call } from "./call.ts";
import { OPENING_METHODS } from "./contractBook.ts";

/** Replays allowed for a call that was neither alone nor on trial when a worker died. */
const MAX_REPLAYS_IN_COMPANY = 4;
const MAX_REPLAYS_ALONE = 1;

/** A likely culprit gets one more try, a possible bystander several. */
export function replayBudget(call: Call): ReplayBudget {
	if (call.standing) return { used: 0, max: 1 };
	return { used: call.replays, max: call.suspectedAlone ? MAX_REPLAYS_ALONE : MAX_REPLAYS_IN_COMPANY };
}

export function ambiguous(call: Call, generation: number, why: string): Fault {
	return createFault("ambiguous_outcome", "outcome_unknown", {
		detail: `${named(call)} was dispatched and not answered: ${why}`,
		generation,
	});
}

/** Why a call that was begun is given up: `fault` only if it may be repeated, else nobody knows whether it took effect. */
export function givenUp(call: Call, contract: ReplayContract, fault: Fault): Fault {
	return contract === "convergent" ? fault : ambiguous(call, fault.generation, fault.detail);
}

/** A server that dies of its very first words would die of any: it has a problem of its own, not with this call. */
export function exhausted(call: Call, generation: number, why: string): Fault {
	const detail = `${named(call)} was tried ${call.replays + 1} times and each worker ended: ${why}`;
	return OPENING_METHODS.has(call.method)
		? createFault("process", "start_failed", { detail, generation, retry: "never" })
		: createFault("replay", "replay_exhausted", { detail, generation });
}

/** The release on probation kept failing this call; the previous one may well answer it. */
export function lostInRollout(call: Call, generation: number): Fault {
	const detail = `${named(call)} was tried ${call.replays + 1} times while a new release kept ending`;
	return createFault("rollout", "lost_in_rollout", { detail, generation, retry: "later" });
}

export function named(call: Call): string {
	return call.tool === undefined ? call.method : `${call.method} ${call.tool.slice(0, 64)}`;
}
