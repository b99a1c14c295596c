import type { Fault } from "../fault/fault.ts";
import { makeFault } from "../fault/faultTable.ts";
import { toFault } from "../fault/toFault.ts";
import type { Terms } from "../host/calls/contractBook.ts";
import type { Parts } from "../host/parts.ts";
import type { SavedRequest } from "../host/session/savedRequests.ts";
import { restoreSession, warmUpWorker } from "../host/session/warmUp.ts";
import type { DeathVerdict, Start, Watch } from "../host/state/replacement.ts";
import type { Call } from "../host/worker/call.ts";
import type { Worker } from "../host/worker/worker.ts";
import type { RolloutStep } from "../telemetry/healthBoard.ts";

export type ProbationEvents = { step(step: RolloutStep, generation: number): void; rolledBack(deadly?: Call): void };

const DRAIN_POLL_MS = 50;
const PING_MS = 3_000;

/** Green serves while blue stays alive in reserve. If green keeps dying, blue takes over again. */
export class Probation implements Watch {
	readonly #parts: Parts;
	readonly #blue: Worker | undefined;
	/** What blue's release promises. */
	readonly #terms: Terms;
	/** The first start of the new release, or the last that failed. */
	#green: Start;
	readonly #events: ProbationEvents;
	readonly #timer: NodeJS.Timeout;
	/** The saved requests that blue has been given. */
	readonly #known: Set<SavedRequest>;
	/** Whether blue has the client's session at all: it may begin only now. */
	readonly #isOpen: boolean;
	#deaths = 0;
	#over: boolean = false;

	constructor(parts: Parts, blue: Worker | undefined, terms: Terms, green: Start, events: ProbationEvents) {
		this.#parts = parts;
		this.#blue = blue;
		this.#terms = terms;
		this.#green = green;
		this.#events = events;
		this.#known = new Set(parts.session.saved());
		this.#isOpen = parts.session.isOpen;
		parts.replacement.probation = this;
		this.#timer = setTimeout(() => this.end(), parts.settings.rollouts.probationMs);
		this.#timer.unref();
	}

	/** Green has yet to prove itself. */
	get isOpen(): boolean {
		return !this.#over;
	}

	/** The latest generation of the new release. */
	get generation(): number {
		const workers = [...this.#parts.roster.workers];
		return (workers.findLast(({ command }) => command === this.#green.command) ?? this.#green).generation;
	}

	/** Green has proven itself, or an even newer release replaces it: blue finishes its calls and exits. */
	end(): void {
		if (!this.#finish()) return;
		this.#events.step("stable", this.generation);
		if (this.#blue !== undefined) void drainAndEnd(this.#blue);
	}

	died(start: Start, fault: Fault, deadly?: Call): DeathVerdict {
		const { settings, record } = this.#parts;
		const blue = this.#blue?.gone === false ? this.#blue : undefined;
		if (start.command !== this.#green.command) return "unrelated";
		this.#green = start;
		if (fault.code !== "restart_requested") this.#deaths++;
		// A client that makes one call at a time waits for this one, so no further death would come.
		const isLast = deadly !== undefined && this.#deaths > 1 && blue !== undefined;
		if (this.#deaths < settings.rollouts.crashLimit && !isLast)
			return blue === undefined ? "no_way_back" : "on_probation";
		this.#finish();
		this.#events.rolledBack(deadly);
		const { generation } = start;
		if (blue === undefined) {
			const detail = `the new release failed ${this.#deaths} times (${fault.detail}) and no older worker is left`;
			record.fault(makeFault("rollback_impossible", { detail, generation }));
			this.#events.step("stable", generation);
			return "no_way_back";
		}
		const detail = `the new release failed ${this.#deaths} times (${fault.detail}); back to the one before`;
		record.fault(makeFault("rolled_back", { detail, generation }));
		void this.#switchBack(blue);
		return "rolled_back";
	}

	/** Blue still has its session, so it gets the changes made since and serves again. */
	async #switchBack(blue: Worker): Promise<void> {
		const { supervisor, roster, replacement, lists, book } = this.#parts;
		this.#events.step("rolling_back", this.generation);
		supervisor.command = blue.command;
		book.terms = this.#terms;
		replacement.rollingBack = true;
		const isReady = await this.#bringUpToDate(blue);
		replacement.rollingBack = false;
		if (!isReady) await supervisor.start();
		this.#events.step("stable", roster.active?.generation ?? blue.generation);
		if (!isReady) return;
		supervisor.activate(blue);
		await lists.refresh();
	}

	/** False if blue cannot be used, so that a fresh worker of its release must be started. */
	async #bringUpToDate(blue: Worker): Promise<boolean> {
		const { session, settings, record } = this.#parts;
		try {
			await answersPing(blue);
			const { warmUpMs } = settings.rollouts;
			const until = performance.now() + warmUpMs;
			if (this.#isOpen) await restoreSession(blue, session, this.#known, () => Math.max(1, until - performance.now()));
			else await warmUpWorker(blue, session, warmUpMs, this.#known, {});
			return true;
		} catch (error) {
			record.fault(toFault(error, blue.generation));
			// What it has begun may still be answered.
			if (blue.calls.size + blue.tasks.open > 0) void drainAndEnd(blue);
			else await blue.end();
			return false;
		}
	}

	#finish(): boolean {
		if (this.#over) return false;
		this.#over = true;
		clearTimeout(this.#timer);
		this.#parts.replacement.probation = undefined;
		return true;
	}
}

/** Any sign of life will do; if the client does not read, none could come. */
async function answersPing(worker: Worker): Promise<void> {
	const asked = performance.now();
	await worker.askMethod("ping", undefined, PING_MS).catch((error: unknown) => {
		if (!worker.paused && worker.lastMessageAt <= asked) throw error;
	});
}

/** Waits for the worker's calls and tasks: a deadline ends each call; a task ends when the client has its result. */
async function drainAndEnd(worker: Worker): Promise<void> {
	while (worker.calls.size + worker.tasks.open > 0 && !worker.gone) {
		await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS).unref());
	}
	await worker.end();
}
