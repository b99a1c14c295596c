import { createFault, type Fault } from "../fault/fault.ts";
import { toFault } from "../fault/toFault.ts";
import type { RolloutStep } from "../health/lifecycle.ts";
import { changedLists } from "../host/catalogue.ts";
import { announceChanges } from "../host/listChanges.ts";
import type { Parts } from "../host/parts.ts";
import type { WorkerCommand } from "../host/spawnWorker.ts";
import type { Worker } from "../host/worker.ts";
import { type Candidate, prepareCandidate, waitForQuiet } from "./candidate.ts";
import { Probation } from "./probation.ts";
import { Quarantine } from "./quarantine.ts";
import type { RolloutOutcome } from "./rolloutOutcome.ts";

/** Replaces the serving worker by one of a new release, under live calls, one rollout at a time. */
export class Rollout {
	readonly #parts: Parts;
	readonly quarantine: Quarantine = new Quarantine();
	#probation: Probation | undefined;
	#running: boolean = false;
	#stopped: boolean = false;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	async run(command: WorkerCommand): Promise<RolloutOutcome> {
		const refusal = this.#refusal(command);
		if (refusal !== undefined) return { ok: false, fault: refusal };
		this.#running = true;
		try {
			return await this.#roll(command);
		} catch (error) {
			const fault = failure(toFault(error, this.#parts.supervisor.generation));
			this.#step("aborting", fault);
			this.#parts.record.fault(fault);
			// The release before may still have to prove itself.
			this.#step(this.#probation?.isOpen === true ? "probation" : "stable");
			return { ok: false, fault };
		} finally {
			this.#running = false;
		}
	}

	/** The session is over. */
	stop(): void {
		this.#stopped = true;
		this.#probation?.end();
	}

	async #roll(command: WorkerCommand): Promise<RolloutOutcome> {
		const { supervisor } = this.#parts;
		const candidate = await prepareCandidate(this.#parts, command, (step) => this.#step(step));
		try {
			this.#step("waiting");
			await waitForQuiet(this.#parts, candidate);
		} catch (error) {
			await candidate.worker.end();
			throw error;
		}
		// Blue may have died and been replaced in the meantime; whichever worker serves now is blue.
		return this.#switch(supervisor.active, candidate, command);
	}

	/** Runs in one turn of the event loop, so that no call can arrive in between. */
	#switch(blue: Worker | undefined, candidate: Candidate, command: WorkerCommand): RolloutOutcome {
		const { supervisor, callbacks, dispatch, recovery, lists } = this.#parts;
		const { worker: green, catalogue } = candidate;
		this.#step("switching");
		const before = lists.catalogue;
		const changed = before !== undefined && catalogue !== undefined ? changedLists(before, catalogue) : [];
		// A resource that only a template told of is in no list; its watcher has to look all the same.
		if (this.#giveUp(candidate) && !changed.includes("resources")) changed.push("resources");
		supervisor.command = command;
		if (catalogue !== undefined) lists.learned(catalogue, green);
		blue?.setAside();
		supervisor.budget.proven();
		supervisor.activate(green);
		for (const { frame, envelope } of green.keptBack) callbacks.fromWorker(green, frame, envelope);
		for (const call of blue?.calls.values() ?? []) {
			if (!call.standing) continue;
			blue?.calls.release(call);
			blue?.notify("notifications/cancelled", { requestId: JSON.parse(call.wireId) });
			dispatch.send(call, green);
		}
		recovery.decideRest();
		announceChanges(this.#parts, changed);
		// The release on probation is replaced, so its fallback is no longer needed.
		this.#probation?.end();
		this.#step("probation");
		this.#probation = new Probation(this.#parts, blue, green, {
			step: (step) => this.#step(step),
			rolledBack: () => {
				this.quarantine.add(command);
				this.#parts.record.quarantined = this.quarantine.size;
			},
		});
		return { ok: true, generation: green.generation, changed };
	}

	/** Drops what green refused of the session's state; true when a subscription was among it. */
	#giveUp({ refused }: Candidate): boolean {
		const { session, record } = this.#parts;
		let unwatched = false;
		for (const [saved, fault] of refused) {
			// The client may have ended it in the meantime.
			if (!session.isDispensable(saved)) continue;
			record.fault(fault);
			if (session.giveUp(saved) !== undefined) unwatched = true;
		}
		return unwatched;
	}

	#refusal(command: WorkerCommand): Fault | undefined {
		const generation = this.#parts.supervisor.generation;
		if (this.#stopped) return createFault("rollout", "host_closing", { detail: "the host is closing", generation });
		if (this.#running) {
			return createFault("rollout", "rollout_in_progress", { detail: "one rollout at a time", generation });
		}
		if (!this.quarantine.has(command)) return undefined;
		const detail = "this release was rolled back and nothing in it has changed since";
		return createFault("rollout", "release_quarantined", { detail, generation, retry: "never" });
	}

	#step(step: RolloutStep, fault?: Fault): void {
		const { record, supervisor } = this.#parts;
		record.rollout(step, supervisor.generation, supervisor.active?.generation ?? 0, fault);
	}
}

/** Any fault of green as a rollout fault. */
function failure(cause: Fault): Fault {
	if (cause.class === "rollout") return cause;
	return createFault("rollout", `green_${cause.code}`.slice(0, 64), {
		detail: `the new release was not switched to: ${cause.detail}`,
		generation: cause.generation,
		hint: "keep_worker",
	});
}
