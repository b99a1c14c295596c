import { type Fault, FaultError } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { toFault } from "../../fault/toFault.ts";
import { describeExit, type Exit } from "../../process/spawnCustody.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import type { Recovery } from "../calls/recovery.ts";
import type { Callbacks } from "../client/callbacks.ts";
import { readCatalogue } from "../lists/catalogue.ts";
import type { Lists } from "../lists/lists.ts";
import type { SavedRequest } from "../session/savedRequests.ts";
import type { Session } from "../session/session.ts";
import { type RestorePolicy, restoreSession, warmUpWorker } from "../session/warmUp.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Replacement, Start } from "../state/replacement.ts";
import type { Roster } from "../state/roster.ts";
import type { Call } from "../worker/call.ts";
import type { WorkerCommand } from "../worker/spawnWorker.ts";
import { Worker, type WorkerEvents } from "../worker/worker.ts";

/** With no other worker serving, a worker may take this many times longer to warm up. */
const PATIENCE = 4;

/** What the supervisor needs of the host: what it starts workers by, and whom it tells of their lives and deaths. */
export type SupervisorParts = {
	readonly settings: Settings;
	readonly record: HostRecord;
	readonly roster: Roster;
	readonly session: Session;
	readonly callbacks: Pick<Callbacks, "withdraw">;
	readonly dispatch: Pick<Dispatch, "pump" | "failWaiting">;
	readonly recovery: Pick<Recovery, "take" | "deadly" | "lost" | "decideRest">;
	readonly lists: Pick<Lists, "learned" | "refresh" | "stop">;
	readonly replacement: Pick<Replacement, "probation" | "rollingBack">;
};

/** Decides which worker gets new calls, and starts the next one when it dies. */
export class Supervisor {
	readonly #parts: SupervisorParts;
	readonly #roster: Roster;
	readonly #events: WorkerEvents;
	/** The command that starts the next worker. */
	command: WorkerCommand;
	/** Journaled calls that the last worker refused; the next one is asked before they are given up. */
	readonly #refused = new Set<SavedRequest>();
	#timer: NodeJS.Timeout | undefined;
	#stableTimer: NodeJS.Timeout | undefined;
	#starting: boolean = false;
	#startAgain: boolean = false;
	#stopped: boolean = false;

	constructor(parts: SupervisorParts, events: Omit<WorkerEvents, "lost">) {
		this.#parts = parts;
		this.#roster = parts.roster;
		this.#events = { ...events, lost: (worker, exit, told) => this.#lost(worker, exit, told) };
		this.command = parts.settings.worker;
	}

	/** Starts a worker when there is none. */
	async start(): Promise<void> {
		if (this.#stopped || this.#parts.replacement.rollingBack || this.#roster.active !== undefined) return;
		if (this.#starting) {
			this.#startAgain = true;
			return;
		}
		this.#starting = true;
		clearTimeout(this.#timer);
		const start: Start = { command: this.command, generation: this.#roster.generation + 1 };
		try {
			const worker = await this.launch(start.command);
			// Meanwhile a rollout may have activated its own worker, or a suspension may have ended this one.
			if (this.#roster.active !== undefined || worker.over) await worker.end();
			else {
				this.#roster.active = worker;
				await this.#warm(worker);
			}
		} catch (error) {
			const fault = toFault(error, start.generation);
			this.#parts.record.fault(fault);
			if (this.#roster.active === undefined && !this.#stopped) {
				const isRolledBack = this.#parts.replacement.probation?.died(start, fault) === "rolled_back";
				if (!isRolledBack) this.#failed(fault, false);
			}
		}
		this.#starting = false;
		// The worker died and a new one was requested while this start was still finishing.
		const again = this.#startAgain;
		this.#startAgain = false;
		if (again) await this.start();
	}

	/** Starts a worker with any command; the caller decides what it is for. */
	async launch(command: WorkerCommand, candidate = false): Promise<Worker> {
		const { settings, record } = this.#parts;
		const generation = ++this.#roster.generation;
		if (!candidate) record.starting(generation);
		const { maxFrameBytes, graceMs, ownWorker, maskStderr } = settings;
		const limits = { maxFrameBytes, graceMs, trusted: ownWorker, maskStderr };
		const spawned = generation === 1 ? settings.firstWorker : undefined;
		const worker = await Worker.start(command, generation, limits, this.#events, spawned);
		worker.candidate = candidate;
		this.#roster.workers.add(worker);
		if (this.#stopped) await worker.end();
		return worker;
	}

	/** Sends new calls to this worker, which must be warm. */
	activate(worker: Worker): void {
		this.#roster.active = worker;
		worker.serve();
		if (this.#parts.session.negotiated !== undefined) this.tellInitialized(worker);
		this.#parts.record.ready(worker.generation);
		clearTimeout(this.#stableTimer);
		this.#stableTimer = setTimeout(() => this.#roster.budget.proven(), this.#parts.settings.restarts.stableMs);
		this.#stableTimer.unref();
		this.#parts.dispatch.pump();
	}

	/** Forwards the client's `initialized` notification once, then reads the server's lists. */
	tellInitialized(worker: Worker): void {
		const { initialized } = this.#parts.session;
		if (initialized === undefined || worker.toldInitialized || worker.gone) return;
		worker.toldInitialized = true;
		worker.send(initialized);
		void this.#parts.lists.refresh();
	}

	/** Ends the worker in use, which the next one replaces; if there is none, starts one without waiting any longer. */
	async restart(): Promise<void> {
		const { active, generation } = this.#roster;
		const detail = "somebody asked for a restart";
		if (active === undefined) this.#tryAgain();
		else await active.end(makeFault("restart_requested", { detail, generation }));
	}

	async stop(): Promise<void> {
		this.#stopped = true;
		this.#parts.lists.stop();
		clearTimeout(this.#timer);
		clearTimeout(this.#stableTimer);
		await Promise.all([...this.#roster.workers].map((worker) => worker.end()));
	}

	/** Ends every worker without counting it as a crash; returns the calls they held. */
	async suspend(): Promise<Call[]> {
		const workers = [...this.#roster.workers];
		await this.stop();
		this.#roster.active = undefined;
		for (const worker of workers) this.#parts.callbacks.withdraw(worker);
		return workers.flatMap((worker) => worker.calls.values()).sort((a, b) => a.sequence - b.sequence);
	}

	resume(): void {
		this.#stopped = false;
		void this.start();
	}

	async #warm(worker: Worker): Promise<void> {
		const { session, settings, record } = this.#parts;
		// Nothing else is serving, so restarting a worker that is merely slow would gain nothing.
		const patience = settings.rollouts.warmUpMs * PATIENCE;
		const first: Fault[] = [];
		const refused = (saved: SavedRequest, fault: Fault): boolean => {
			if (session.isDispensable(saved) || this.#refused.has(saved)) {
				session.giveUp(saved);
				record.fault(fault);
			} else {
				// The refusal may pass, and calls would run without the state that their client has set.
				this.#refused.add(saved);
				first.push(fault);
			}
			return true;
		};
		try {
			const said = new Set<SavedRequest>();
			await warmUpWorker(worker, session, patience, said, { refused });
			if (session.early.length > 0) await this.#learnFirst(worker, said, { refused });
			if (first[0] !== undefined) throw new FaultError(first[0]);
			this.#refused.clear();
		} catch (error) {
			await this.#roster.replace(worker, toFault(error, worker.generation));
			return;
		}
		if (worker.over || this.#roster.active !== worker) return;
		this.activate(worker);
		void this.#parts.lists.refresh();
	}

	/** For calls answered before their tools were known: reads this worker's tools, then repeats the journaled calls. */
	async #learnFirst(worker: Worker, said: Set<SavedRequest>, policy: RestorePolicy): Promise<void> {
		const { session, settings, lists } = this.#parts;
		const { warmUpMs } = settings.rollouts;
		lists.learned(await readCatalogue(worker, session, warmUpMs), worker);
		await restoreSession(worker, session, said, () => warmUpMs, policy);
	}

	#lost(worker: Worker, exit: Exit, told: boolean): void {
		this.#roster.workers.delete(worker);
		if (this.#stopped) return;
		const fault = exitFault(worker, exit);
		// The end of a candidate is the rollout's to report: told as a crash, it would seem to be that of the serving worker.
		if (!told && !worker.candidate) this.#parts.record.fault(fault, worker.stderr.lines);
		const wasActive = this.#roster.active === worker;
		if (wasActive) this.#roster.active = undefined;
		const { recovery, replacement, session } = this.#parts;
		if (wasActive) session.lostMemory.lose(fault);
		const calls = recovery.take(worker, fault);
		const verdict = replacement.probation?.died(worker, fault, recovery.deadly(calls)) ?? "unrelated";
		recovery.lost(calls, { generation: worker.generation, why: fault.detail, rollout: verdict });
		if (wasActive && verdict !== "rolled_back")
			this.#failed(fault, worker.answers > 0 || fault.code === "restart_requested");
	}

	#failed(fault: Fault, fruitful: boolean): void {
		if (this.#stopped) return;
		clearTimeout(this.#stableTimer);
		const verdict = this.#roster.budget.died(fruitful);
		this.#parts.record.restarting(fault, verdict, this.#roster.generation);
		const outage = this.#roster.outage();
		if (outage !== undefined) {
			this.#parts.recovery.decideRest();
			this.#parts.dispatch.failWaiting(outage);
		}
		this.#timer = setTimeout(() => this.#tryAgain(), verdict.delayMs);
	}

	#tryAgain(): void {
		if (this.#roster.budget.state === "open") this.#parts.record.board.restarting();
		this.#roster.budget.tryAgain();
		void this.start();
	}
}

/** Why a worker ended. An unrequested exit is a failure even with code 0. */
function exitFault(worker: Worker, exit: Exit): Fault {
	if (worker.verdict !== undefined) return worker.verdict;
	const half = worker.unfinishedBytes === 0 ? "" : `, ${worker.unfinishedBytes} bytes of an unfinished message`;
	const detail = `${describeExit(exit)}${half}`;
	const fields = { detail, generation: worker.generation };
	if (worker.stderr.lines.some((line) => OUT_OF_MEMORY.test(line))) return makeFault("out_of_memory", fields);
	if (exit.signal !== null) return makeFault("worker_killed", fields);
	return makeFault(exit.code === 0 ? "worker_exited" : "worker_crashed", fields);
}

const OUT_OF_MEMORY = /heap out of memory|Reached heap limit|Cannot allocate memory|MemoryError|OutOfMemoryError/;
