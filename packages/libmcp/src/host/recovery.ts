import type { Fault } from "../fault/fault.ts";
import { decide } from "../replay/decide.ts";
import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";
import { ambiguous, exhausted, lostInRollout, replayBudget } from "./replayFaults.ts";
import type { Worker } from "./worker.ts";

/** What is known about the loss of a worker that put calls in doubt. */
type Loss = {
	readonly generation: number;
	readonly why: string;
	/** The worker belonged to a release that is still on probation. */
	readonly onProbation: boolean;
};

/** Decides what happens to the calls of a lost worker, each by its own contract only. */
export class Recovery {
	readonly #parts: Parts;
	/** Calls lost before the server listed their tools; decided when the next worker has listed them. */
	#undecided: { readonly call: Call; readonly loss: Loss }[] = [];

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	lost(worker: Worker, cause: Fault, onProbation = false): void {
		const { callbacks, dispatch } = this.#parts;
		callbacks.withdraw(worker);
		const lost = worker.calls.values();
		worker.calls.clear();
		const alone = lost.filter((call) => !call.standing).length === 1;
		for (const call of lost) {
			call.knowledge = "outcome_unknown";
			call.worker = undefined;
			if (dispatch.trials.convicts(call) || alone) call.blame = "alone";
		}
		this.settle(lost, { generation: worker.generation, why: cause.detail, onProbation });
		for (const call of lost) dispatch.trials.finished(call);
	}

	/** Decides about calls whose outcome is unknown, in the order they came. */
	settle(calls: readonly Call[], loss: Loss): void {
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

	#mayRunAgain(call: Call, { generation, why, onProbation }: Loss): boolean {
		const { book, ledger, dispatch } = this.#parts;
		switch (decide(call.knowledge, book.contract(call), undefined, replayBudget(call))) {
			case "replay":
			case "probe":
				return true;
			case "reject_exhausted": {
				const fault = onProbation ? lostInRollout(call, generation) : exhausted(call, generation, why);
				ledger.fail(call, fault);
				// Without its handshake the server has no session, so calls queued behind it cannot run.
				if (call.method === "initialize") dispatch.failWaiting(fault);
				return false;
			}
			// The other five cannot happen for a call in doubt; if one does, the call still must not run twice.
			case "reject_ambiguous":
			case "first_dispatch":
			case "await_answer":
			case "already_answered":
			case "complete_from_probe":
			case "reject_unexpected_probe":
				ledger.fail(call, ambiguous(call, generation, why));
				return false;
		}
	}
}
