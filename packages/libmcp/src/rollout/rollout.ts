import { createFault, type Fault, FaultError } from "../fault/fault.ts";
import { makeFault } from "../fault/faultTable.ts";
import { toError } from "../fault/thrown.ts";
import { toFault } from "../fault/toFault.ts";
import { type CatalogueKind, findChangedLists } from "../host/lists/catalogue.ts";
import { announceChanges } from "../host/lists/lists.ts";
import type { Parts } from "../host/parts.ts";
import type { ContractDeclarations } from "../host/settings/contractFile.ts";
import { computeReleaseKey } from "../host/state/quarantine.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";
import { findTellingLine } from "../host/worker/stderrTail.ts";
import type { Worker } from "../host/worker/worker.ts";
import type { RolloutStep } from "../telemetry/healthBoard.ts";
import { type Candidate, CandidateError, prepareCandidate, waitForQuiet } from "./candidate.ts";
import { Probation } from "./probation.ts";

/** Replaces the serving worker with one of a new release while calls run; one rollout at a time. */
export class Rollout {
	readonly #parts: Parts;
	#probation: Probation | undefined;
	/** The generation of the latest candidate. */
	#green = 0;
	/** The generation that the release on probation replaced. */
	#replaced = 0;
	#stopped: boolean = false;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	async run(command: WorkerCommand): Promise<RolloutOutcome> {
		// Its files may be repaired before it is rolled back, so their state now is what counts.
		const release = computeReleaseKey(command);
		const refusal = this.#begin(release);
		if (refusal !== undefined) return { ok: false, fault: refusal };
		try {
			return await this.#roll(command, release);
		} catch (error) {
			// When the session ends, so does the candidate, which says nothing of its release.
			const fault = this.#stopped ? this.#closing() : failure(toFault(error, this.#green));
			this.#step("aborting", fault);
			if (this.#stopped) return { ok: false, fault };
			const stderr = error instanceof CandidateError ? error.stderr : [];
			this.#parts.record.fault(fault, stderr);
			this.#stepAfterAbort();
			const said = findTellingLine(stderr);
			return {
				ok: false,
				fault: said === undefined ? fault : { ...fault, detail: `${fault.detail}; it said: ${said}` },
			};
		} finally {
			this.#parts.replacement.end();
		}
	}

	/** Called when the session ends. */
	stop(): void {
		this.#stopped = true;
		this.#probation?.end();
	}

	async #roll(command: WorkerCommand, release: string): Promise<RolloutOutcome> {
		const { roster } = this.#parts;
		const step = (now: RolloutStep): void => this.#step(now);
		// The candidate starts at once, so it gets the next number.
		this.#green = roster.generation + 1;
		const contracts = this.#readContracts();
		const candidate = await prepareCandidate(this.#parts, command, contracts, step);
		try {
			await waitForQuiet(this.#parts, candidate, step);
		} catch (error) {
			const { worker } = candidate;
			const hasEnded = worker.over;
			await worker.end();
			throw hasEnded ? new CandidateError(toFault(error, worker.generation), worker.stderr.lines) : error;
		}
		// Blue may have died and been replaced meanwhile; the worker that serves now counts as blue.
		return this.#switch(roster.active, candidate, contracts, release);
	}

	/** Runs in one turn of the event loop, so that no call can arrive in between. */
	#switch(
		blue: Worker | undefined,
		candidate: Candidate,
		contracts: ContractDeclarations,
		release: string,
	): RolloutOutcome {
		const { supervisor, roster, callbacks, dispatch, recovery, lists, book } = this.#parts;
		const { worker: green, catalogue } = candidate;
		this.#step("switching");
		const before = lists.catalogue;
		const changed = before !== undefined && catalogue !== undefined ? findChangedLists(before, catalogue) : [];
		// A resource found only through a template is in no list, so its subscriber must be told to look again.
		if (this.#giveUp(candidate) && !changed.includes("resources")) changed.push("resources");
		supervisor.command = green.command;
		// Calls that blue lost before it listed its tools; what green lists says nothing about them.
		recovery.decideRest();
		const former = book.terms;
		book.terms = { ...former, declared: contracts, tools: new Map(former.tools) };
		if (catalogue !== undefined) lists.learned(catalogue, green);
		blue?.setAside();
		roster.budget.proven();
		supervisor.activate(green);
		for (const { frame, envelope } of green.keptBack.splice(0)) callbacks.fromWorker(green, frame, envelope);
		for (const call of blue?.calls.values() ?? []) {
			if (!call.standing) continue;
			blue?.calls.release(call);
			blue?.notify("notifications/cancelled", { requestId: JSON.parse(call.wireId) });
			dispatch.send(call, green);
		}
		announceChanges(this.#parts, changed);
		if (green.listsChanged) void lists.refresh();
		// This replaces the release on probation, so its fallback is no longer needed.
		this.#probation?.end();
		this.#replaced = blue?.generation ?? 0;
		this.#stepAfterSwitch("probation", green.generation);
		this.#probation = new Probation(this.#parts, blue, former, green, {
			step: (step, generation) => this.#stepAfterSwitch(step, generation),
			rolledBack: (deadly) => this.#parts.quarantine.add(release, deadly),
		});
		return { ok: true, generation: green.generation, changed };
	}

	/** The file may have changed with the release: a promise made for the old one must not be kept for the new. */
	#readContracts(): ContractDeclarations {
		try {
			return this.#parts.settings.readContracts();
		} catch (error) {
			const detail = `the new release was not started: ${toError(error).message}`;
			throw new FaultError(makeFault("bad_contract", { detail, generation: this.#green, hint: "keep_worker" }));
		}
	}

	/** Drops the saved requests that green refused; true when one was a subscription. */
	#giveUp({ refused }: Candidate): boolean {
		const { session, record } = this.#parts;
		let unwatched = false;
		for (const [saved, fault] of refused) {
			// The client may have ended it meanwhile.
			if (!session.isDispensable(saved)) continue;
			record.fault(fault);
			if (session.giveUp(saved) !== undefined) unwatched = true;
		}
		return unwatched;
	}

	/** Says why not, if it may not begin. */
	#begin(release: string): Fault | undefined {
		const { roster, replacement, quarantine } = this.#parts;
		const { generation } = roster;
		if (this.#stopped) return this.#closing();
		const refusal = replacement.begin("rollout");
		if (refusal !== undefined || !quarantine.refuseOnce(release)) return refusal;
		replacement.end();
		const detail =
			"this release was rolled back, and no file named in its command has changed since; ask again to try it all the same";
		return makeFault("release_quarantined", { detail, generation });
	}

	#closing(): Fault {
		const { generation } = this.#parts.roster;
		return makeFault("host_closing", { detail: "the host is closing", generation });
	}

	#step(step: RolloutStep, fault?: Fault): void {
		const { record, roster } = this.#parts;
		record.rollout(step, this.#green, roster.active?.generation ?? 0, fault);
	}

	#stepAfterAbort(): void {
		const { record, roster } = this.#parts;
		const serving = roster.active?.generation ?? roster.generation;
		// The release that serves on may still be on probation.
		if (this.#probation?.isOpen === true) this.#stepAfterSwitch("probation", this.#probation.generation);
		else record.rollout("stable", serving, serving);
	}

	#stepAfterSwitch(step: RolloutStep, generation: number): void {
		this.#parts.record.rollout(step, generation, this.#replaced);
	}
}

/** Reports any fault of green as a rollout fault. */
function failure(cause: Fault): Fault {
	if (cause.class === "rollout") return cause;
	return createFault("rollout", `green_${cause.code}`.slice(0, 64), {
		detail: `the new release was not switched to: ${cause.detail}`,
		generation: cause.generation,
		hint: "keep_worker",
	});
}

/** `changed` names the lists that differ from before; the client has been told. */
export type RolloutOutcome =
	| { readonly ok: true; readonly generation: number; readonly changed: readonly CatalogueKind[] }
	| { readonly ok: false; readonly fault: Fault };
