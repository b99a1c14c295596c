import type { Fault } from "../fault/fault.ts";
import { decide } from "../replay/decide.ts";
import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";
import { ambiguous, exhausted, lostInRollout, replayBudget } from "./replayFaults.ts";
import type { Worker } from "./worker.ts";

/** What becomes of the calls of a worker that is gone: each by its own contract, and by nothing else. */
export class Recovery {
	readonly #parts: Parts;
	/** Lost before the server had said what their tools do; the next worker will say it. */
	#undecided: { readonly call: Call; readonly worker: Worker; readonly cause: Fault }[] = [];

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** `onProbation`: the worker is one a rollout has just brought in. */
	lost(worker: Worker, cause: Fault, onProbation = false): void {
		const { callbacks, dispatch } = this.#parts;
		callbacks.withdraw(worker);
		const lost = [...worker.calls.values()].sort((a, b) => a.sequence - b.sequence);
		worker.calls.clear();
		const answerable = lost.filter((call) => !call.standing);
		const again: Call[] = [];
		for (const call of lost) {
			call.knowledge = "outcome_unknown";
			call.worker = undefined;
			// The one that had just been started is the likeliest culprit; its neighbours had time to do harm and did none.
			if (answerable.length === 1 || dispatch.trials.isOnTrial(call)) call.suspectedAlone = true;
			if (!this.#parts.book.knows(call)) this.#undecided.push({ call, worker, cause });
			else if (this.#mayRunAgain(call, worker, cause, onProbation)) again.push(call);
		}
		dispatch.suspect(again);
		for (const call of lost) dispatch.trials.finished(call);
	}

	get undecided(): number {
		return this.#undecided.length;
	}

	/** All that can be known of the tools is known now. */
	decideRest(): void {
		const rest = this.#undecided;
		this.#undecided = [];
		const open = rest.filter(({ call }) => !call.settled);
		const again = open.filter(({ call, worker, cause }) => this.#mayRunAgain(call, worker, cause, false));
		this.#parts.dispatch.suspect(again.map(({ call }) => call));
	}

	#mayRunAgain(call: Call, worker: Worker, cause: Fault, onProbation: boolean): boolean {
		const { book, ledger } = this.#parts;
		switch (decide(call.knowledge, book.contract(call), undefined, replayBudget(call))) {
			case "replay":
			case "probe":
				return true;
			case "reject_exhausted":
				ledger.fail(call, (onProbation ? lostInRollout : exhausted)(call, worker.generation));
				return false;
			default:
				ledger.fail(call, ambiguous(call, worker.generation, cause.detail));
				return false;
		}
	}
}
