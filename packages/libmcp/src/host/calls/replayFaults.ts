import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import type { ReplayBudget, ReplayContract } from "../../replay/decide.ts";
import type { Call } from "../worker/call.ts";
import { OPENING_METHODS } from "./contractBook.ts";

/** For a call that was in flight with others, and not on trial, when a worker died. */
const MAX_REPLAYS_IN_COMPANY = 4;
const MAX_REPLAYS_ALONE = 1;

/** A call that probably killed its worker gets one more try; one that was merely in flight gets several. */
export function countReplays(call: Call): ReplayBudget {
	if (call.standing) return { used: 0, max: 1 };
	return {
		used: call.replays - call.forgiven,
		max: call.blame === "alone" ? MAX_REPLAYS_ALONE : MAX_REPLAYS_IN_COMPANY,
	};
}

export function createAmbiguousFault(call: Call, generation: number, why: string): Fault {
	return makeFault("outcome_unknown", {
		detail: `${nameCall(call)} was dispatched and not answered: ${why}`,
		generation,
	});
}

/** The fault for a begun call that is given up: `fault` if the call may be repeated, else an unknown outcome. */
export function createGivenUpFault(call: Call, contract: ReplayContract, fault: Fault): Fault {
	return contract === "convergent" ? fault : createAmbiguousFault(call, fault.generation, fault.detail);
}

/** If even the first request of a session kills every worker, the server itself cannot start. */
export function createExhaustedFault(call: Call, generation: number, why: string): Fault {
	const detail = `${nameCall(call)} was tried ${call.replays + 1} times and each worker ended: ${why}`;
	return OPENING_METHODS.has(call.method)
		? makeFault("start_failed", { detail, generation, retry: "never" })
		: makeFault("replay_exhausted", { detail, generation });
}

/** The release on probation failed this call repeatedly, and no older release is left to run it. */
export function createLostInRolloutFault(call: Call, generation: number): Fault {
	const detail = `${nameCall(call)} was tried ${call.replays + 1} times while a new release kept ending`;
	return makeFault("lost_in_rollout", { detail, generation, retry: "later" });
}

/** For a request about a task whose worker ended before its end was seen. */
export function createTaskLostFault(repeatable: boolean, generation: number, why: string): Fault {
	const detail = `the worker that ran the task ended: ${why}`;
	return repeatable
		? makeFault("task_lost", { detail, generation, retry: "safe" })
		: makeFault("outcome_unknown", { detail, generation });
}

export function nameCall(call: Call): string {
	return call.tool === undefined ? call.method : `${call.method} ${call.tool.slice(0, 64)}`;
}
