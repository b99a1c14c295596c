import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { type ProbeParts, probeCall } from "./probeCall.ts";
import { countReplays, createAmbiguousFault } from "./replayFaults.ts";

/** All first trials after a crash take about this long together, however slow the calls are. */
const ROUND_MS = 1_000;
const SHORTEST_MS = 5;
const LONGEST_MS = 500;
/** A worker that does not answer a ping in this time either never does, or is blocked and could serve nobody else. */
const PING_MS = 3_000;
/** A call is watched this many times longer with each try that it lost. */
const LONGER = 4;

/** The queue that the trials belong to. */
export type TrialQueue = {
	send(call: Call, worker: Worker): void;
	/** A trial is over, so other calls may go on. */
	pump(): void;
};

/**
 * Retries the calls that were in flight when a worker died. Each may have caused the death, so they run one at a time:
 * the call that kills a worker is then alone and spends its own budget. The next one starts when the current call is
 * answered, or when the worker has answered a ping sent after it and then survived for the call's time slot. The ping
 * is needed because a busy machine may not have read the call when the slot ends; the slot is needed because one slow
 * call would hold up all others.
 */
export class Trials {
	readonly #parts: ProbeParts;
	readonly #queue: TrialQueue;
	#suspects: Call[] = [];
	#current: Call | undefined;
	/** The calls in doubt about which a worker is being asked. */
	readonly #probes = new Map<Call, Worker>();
	/** True while nothing has come from the worker since it was sent the call on trial. */
	#unheard: boolean = false;
	/** A worker that did not answer a ping, so only the time slot can end a trial there. */
	#deaf: Worker | undefined;
	#timer: NodeJS.Timeout | undefined;
	#slotMs = LONGEST_MS;

	constructor(parts: ProbeParts, queue: TrialQueue) {
		this.#parts = parts;
		this.#queue = queue;
	}

	get waiting(): number {
		return this.#suspects.length;
	}

	get suspects(): readonly Call[] {
		return this.#suspects;
	}

	/** True while a call is on trial; no other may start. */
	get busy(): boolean {
		return this.#current !== undefined;
	}

	/**
	 * Whether this call caused its worker's death. For the call on trial that is certain if the worker never answered the
	 * ping after it, and assumed the second time. The first time, an earlier call that outlived its slot may be the cause.
	 */
	convicts(call: Call): boolean {
		if (this.#current !== call) return false;
		if (call.blame !== "none") return true;
		call.blame = "accused";
		return this.#unheard;
	}

	/** True while the worker is asked about a call in doubt: the probe may be what ends it. */
	isProbing(worker: Worker): boolean {
		return [...this.#probes.values()].includes(worker);
	}

	add(calls: readonly Call[]): void {
		this.#suspects = [...this.#suspects, ...calls].sort((a, b) => a.sequence - b.sequence);
		this.#slotMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ROUND_MS / Math.max(1, this.#suspects.length)));
	}

	remove(call: Call): void {
		this.#suspects = this.#suspects.filter((one) => one !== call);
		this.finished(call);
	}

	clear(): Call[] {
		const inDoubt = [...this.#suspects, ...this.#probes.keys()];
		this.#suspects = [];
		this.#release();
		return inDoubt;
	}

	next(worker: Worker): void {
		const call = this.#suspects.shift();
		if (call === undefined || call.knowledge === "completed") return;
		if (call.standing) {
			this.#queue.send(call, worker);
			return;
		}
		const { book, ledger } = this.#parts;
		// The release that would run it may promise less than the one it was decided by.
		if (book.contract(call) === "never_replay") {
			ledger.fail(call, createAmbiguousFault(call, worker.generation, "its tool no longer allows another run"));
			return;
		}
		const probe = book.probe(call);
		if (probe !== undefined) {
			this.#probe(call, worker, probe.independent === true);
			return;
		}
		this.#current = call;
		this.#watch(call, worker);
	}

	/** The trial is over (answered, lost again, or survived its slot), so the next may start. */
	finished(call: Call): void {
		if (this.#current !== call) return;
		this.#release();
		this.#queue.pump();
	}

	/** The call stays in doubt until the probe answers. It also stays on trial, unless later calls need not wait. */
	#probe(call: Call, worker: Worker, independent: boolean): void {
		if (!independent) this.#current = call;
		this.#probes.set(call, worker);
		void probeCall(this.#parts, call, worker).then((verdict) => {
			this.#probes.delete(call);
			if (verdict === "again") this.add([call]);
			else if (verdict === "replay" && call.knowledge !== "completed" && !worker.gone) {
				if (independent) this.#queue.send(call, worker);
				else this.#watch(call, worker);
				return;
			}
			if (!independent) this.finished(call);
			this.#queue.pump();
		});
	}

	#watch(call: Call, worker: Worker): void {
		// A restart on request says nothing about the call, and the others must not wait for it.
		const longer = LONGER ** Math.max(0, countReplays(call).used);
		const slot = (): void => {
			this.#timer = setTimeout(() => this.finished(call), this.#slotMs * longer);
		};
		this.#queue.send(call, worker);
		if (this.#deaf === worker) {
			slot();
			return;
		}
		this.#unheard = true;
		// Any answer will do: it shows that the worker is reading its input.
		worker.askMethod("ping", undefined, PING_MS * longer).then(
			() => {
				if (this.#current !== call || call.worker !== worker) return;
				this.#unheard = false;
				slot();
			},
			() => {
				if (worker.gone || this.#current !== call || call.worker !== worker) return;
				this.#deaf = worker;
				this.finished(call);
			},
		);
	}

	#release(): void {
		clearTimeout(this.#timer);
		this.#current = undefined;
		this.#unheard = false;
	}
}
