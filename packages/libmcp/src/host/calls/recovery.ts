import { makeRoom } from "../../admission/boundedQueue.ts";
import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { type Decision, decide } from "../../replay/decide.ts";
import type { Callbacks } from "../client/callbacks.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Quarantine } from "../state/quarantine.ts";
import type { DeathVerdict } from "../state/replacement.ts";
import { type Call, readTaskId } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import type { ContractBook } from "./contractBook.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Ledger } from "./ledger.ts";
import {
	countReplays,
	createAmbiguousFault,
	createExhaustedFault,
	createLostInRolloutFault,
	createTaskLostFault,
	nameCall,
} from "./replayFaults.ts";

/** What is known about the loss of a worker that put calls in doubt. */
type Loss = {
	readonly generation: number;
	readonly why: string;
	readonly rollout: DeathVerdict;
};

/** What recovery needs of the host. */
export type RecoveryParts = {
	readonly record: Pick<HostRecord, "fault">;
	readonly quarantine: Pick<Quarantine, "acquit">;
	readonly callbacks: Pick<Callbacks, "withdraw">;
	readonly book: Pick<ContractBook, "contract" | "knows">;
	readonly ledger: Pick<Ledger, "fail">;
	readonly dispatch: Pick<Dispatch, "failWaiting" | "suspect" | "trials">;
	readonly lostTasks: LostTasks;
};

/** Decides what happens to the calls of a lost worker, each by its own contract only. */
export class Recovery {
	readonly #parts: RecoveryParts;
	/** Calls lost before the server listed their tools; decided when the next worker has listed them. */
	#undecided: { readonly call: Call; readonly loss: Loss }[] = [];

	constructor(parts: RecoveryParts) {
		this.#parts = parts;
	}

	/** Takes the calls of a lost worker, whose outcome is now unknown, and notes which may have ended it. */
	take(worker: Worker, cause: Fault): Call[] {
		const { callbacks, dispatch, lostTasks } = this.#parts;
		callbacks.withdraw(worker);
		lostTasks.add(worker, cause.detail);
		const lost = worker.calls.values();
		worker.calls.clear();
		const alone = lost.filter((call) => !call.standing).length === 1;
		const isProbing = dispatch.trials.isProbing(worker);
		for (const call of lost) {
			call.knowledge = "outcome_unknown";
			call.worker = undefined;
			// A restart on request says nothing about the calls, however often it comes.
			if (cause.code === "restart_requested") call.forgiven++;
			else if (!isProbing && (dispatch.trials.convicts(call) || alone)) call.blame = "alone";
		}
		return lost;
	}

	/** The call that would run again, had it not ended workers too often. */
	deadly(calls: readonly Call[]): Call | undefined {
		return calls.find((call) => this.#parts.book.knows(call) && this.#decide(call) === "reject_exhausted");
	}

	/** Decides about calls that `take` returned. */
	lost(calls: readonly Call[], loss: Loss): void {
		this.decideLost(calls, loss);
		for (const call of calls) this.#parts.dispatch.trials.finished(call);
	}

	/** Decides about calls whose outcome is unknown, in the order they came. */
	decideLost(calls: readonly Call[], loss: Loss): void {
		const again: Call[] = [];
		for (const call of calls.toSorted((a, b) => a.sequence - b.sequence)) {
			call.deadline?.rest();
			if (!this.#parts.book.knows(call)) this.#undecided.push({ call, loss });
			else if (this.#mayRunAgain(call, loss)) again.push(call);
		}
		this.#parts.dispatch.suspect(again);
	}

	/** The tool list is complete now: decide the calls that waited for it. */
	decideRest(): void {
		const rest = this.#undecided.filter(({ call }) => call.knowledge !== "completed");
		this.#undecided = [];
		const again = rest.filter(({ call, loss }) => this.#mayRunAgain(call, loss));
		this.#parts.dispatch.suspect(again.map(({ call }) => call));
	}

	#mayRunAgain(call: Call, { generation, why, rollout }: Loss): boolean {
		const { ledger } = this.#parts;
		switch (this.#decide(call)) {
			case "replay":
			case "probe":
				return true;
			case "reject_exhausted":
				return this.#rejectExhausted(call, generation, why, rollout);
			// The other five cannot happen for a call in doubt; if one does, the call still must not run twice.
			case "reject_ambiguous":
			case "first_dispatch":
			case "await_answer":
			case "already_answered":
			case "complete_from_probe":
			case "reject_unexpected_probe":
				ledger.fail(call, createAmbiguousFault(call, generation, why));
				return false;
		}
	}

	#decide(call: Call): Decision {
		return decide(call.knowledge, this.#parts.book.contract(call), undefined, countReplays(call));
	}

	/** Returns true if the call may run again all the same. */
	#rejectExhausted(call: Call, generation: number, why: string, rollout: DeathVerdict): boolean {
		const { ledger, dispatch, quarantine, record } = this.#parts;
		if (rollout === "rolled_back") {
			forgive(call);
			return true;
		}
		if (rollout === "unrelated" && quarantine.acquit(call)) {
			const detail = `the release before died of ${nameCall(call)} too, so the new one may be rolled out again`;
			record.fault(makeFault("rolled_back", { detail, generation }));
		}
		const fault =
			rollout === "no_way_back"
				? createLostInRolloutFault(call, generation)
				: createExhaustedFault(call, generation, why);
		ledger.fail(call, fault);
		// Without its handshake the server has no session, so calls queued behind it cannot run.
		if (call.method === "initialize") dispatch.failWaiting(fault);
		return false;
	}
}

/** The deaths of a release that was rolled back say nothing about the call. */
function forgive(call: Call): void {
	call.forgiven = call.replays;
	call.blame = "none";
}

const MAX_TASKS = 1_024;

/**
 * Tasks whose worker ended before the client saw their end. Requests about them still go to the next worker, because
 * the server may keep its tasks elsewhere; only if it refuses them is the task lost.
 */
export class LostTasks {
	readonly #faults = new Map<string, Fault>();

	add({ tasks, generation }: Worker, why: string): void {
		for (const { id, repeatable } of tasks.unfinished()) {
			makeRoom(this.#faults, MAX_TASKS);
			this.#faults.set(id, createTaskLostFault(repeatable, generation, why));
		}
	}

	/** What a request about such a task fails with. */
	faultOf(call: Call): Fault | undefined {
		const id = this.#faults.size === 0 ? undefined : readTaskId(call);
		return id === undefined ? undefined : this.#faults.get(id);
	}

	state(): (readonly [id: string, fault: Fault])[] {
		return [...this.#faults];
	}

	adopt(state: Iterable<readonly [id: string, fault: Fault]>): void {
		for (const [id, fault] of state) this.#faults.set(id, fault);
	}

	/** The next worker has answered a request about this task, so it is not lost. */
	found(call: Call): void {
		const id = this.#faults.size === 0 ? undefined : readTaskId(call);
		if (id !== undefined) this.#faults.delete(id);
	}
}
