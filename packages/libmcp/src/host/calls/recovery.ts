import type { Fault } from "../../fault/fault.ts";
import { decide } from "../../replay/decide.ts";
import type { Parts } from "../parts.ts";
import type { DeathVerdict } from "../supervision/supervisor.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { ambiguous, exhausted, lostInRollout, replayBudget } from "./replayFaults.ts";

/** What is known about the loss of a worker that put calls in doubt. */
type Loss = {
	readonly generation: number;
	readonly why: string;
	readonly rollout: DeathVerdict;
};

/** Decides what happens to the calls of a lost worker, each by its own contract only. */
export class Recovery {
	readonly #parts: Parts;
	/** Calls lost before the server listed their tools; decided when the next worker has listed them. */
	#undecided: { readonly call: Call; readonly loss: Loss }[] = [];

	/** Calls that a release on probation failed too often; if it is rolled back, the release before runs them. */
	#held: { readonly call: Call; readonly generation: number }[] = [];

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	lost(worker: Worker, cause: Fault, rollout: DeathVerdict): void {
		const { callbacks, dispatch, lostTasks } = this.#parts;
		callbacks.withdraw(worker);
		lostTasks.add(worker, cause.detail);
		const lost = worker.calls.values();
		worker.calls.clear();
		const alone = lost.filter((call) => !call.standing).length === 1;
		for (const call of lost) {
			call.knowledge = "outcome_unknown";
			call.worker = undefined;
			// A restart on request says nothing about the calls, however often it comes.
			if (cause.code === "restart_requested") call.forgiven++;
			else if (dispatch.trials.convicts(call) || alone) call.blame = "alone";
		}
		this.decideLost(lost, { generation: worker.generation, why: cause.detail, rollout });
		if (rollout === "rolled_back") this.#releaseHeld();
		else if (rollout === "no_way_back") this.giveUpHeld();
		for (const call of lost) dispatch.trials.finished(call);
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

	/** No older release will run the held calls. */
	giveUpHeld(): void {
		for (const { call, generation } of this.#takeHeld()) this.#parts.ledger.fail(call, lostInRollout(call, generation));
	}

	#releaseHeld(): void {
		const calls = this.#takeHeld().map(({ call }) => call);
		for (const call of calls) forgive(call);
		this.#parts.dispatch.suspect(calls);
	}

	#takeHeld(): { readonly call: Call; readonly generation: number }[] {
		const held = this.#held.filter(({ call }) => call.knowledge !== "completed");
		this.#held = [];
		return held;
	}

	#mayRunAgain(call: Call, { generation, why, rollout }: Loss): boolean {
		const { book, ledger } = this.#parts;
		switch (decide(call.knowledge, book.contract(call), undefined, replayBudget(call))) {
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
				ledger.fail(call, ambiguous(call, generation, why));
				return false;
		}
	}

	/** Returns true if the call may run again all the same. */
	#rejectExhausted(call: Call, generation: number, why: string, rollout: DeathVerdict): boolean {
		const { ledger, dispatch, settings, supervisor } = this.#parts;
		switch (rollout) {
			case "rolled_back":
				forgive(call);
				return true;
			case "on_probation":
				// Later calls would overtake one that is held, and after the probation nobody would release it.
				if (settings.sequential || call.method === "initialize" || supervisor.onDeath === undefined) break;
				this.#held.push({ call, generation });
				return false;
			case "no_way_back":
			case "unrelated":
		}
		const fault = rollout === "unrelated" ? exhausted(call, generation, why) : lostInRollout(call, generation);
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
