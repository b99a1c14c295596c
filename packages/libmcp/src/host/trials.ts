import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";
import { probeCall } from "./probeCall.ts";
import type { Worker } from "./worker.ts";

/** All first trials after a crash together take about this long, however slow the calls are. */
const ROUND_MS = 1_000;
const SHORTEST_MS = 5;
const LONGEST_MS = 500;

/**
 * Calls that were in flight when a worker died, each a suspect. They run again one at a time: the next starts when the
 * one on trial is answered or has had its slot without harm, so that a poisonous call is alone when it strikes and
 * spends its own budget. A call that was lost before gets a four times longer slot.
 */
export class Trials {
	readonly #parts: Parts;
	readonly #send: (call: Call, worker: Worker) => void;
	#suspects: Call[] = [];
	#current: Call | undefined;
	#timer: NodeJS.Timeout | undefined;
	#slotMs = LONGEST_MS;

	constructor(parts: Parts, send: (call: Call, worker: Worker) => void) {
		this.#parts = parts;
		this.#send = send;
	}

	get waiting(): number {
		return this.#suspects.length;
	}

	get suspects(): readonly Call[] {
		return this.#suspects;
	}

	/** One is on trial: nothing else may start beside it. */
	get busy(): boolean {
		return this.#current !== undefined;
	}

	isOnTrial(call: Call): boolean {
		return this.#current === call;
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
		const suspects = this.#suspects;
		this.#suspects = [];
		this.#release();
		return suspects;
	}

	next(worker: Worker): void {
		const call = this.#suspects.shift();
		if (call === undefined || call.settled) return;
		if (call.standing) {
			this.#send(call, worker);
			return;
		}
		const probe = this.#parts.book.probe(call);
		if (probe !== undefined) {
			this.#probe(call, worker, probe.independent === true);
			return;
		}
		this.#begin(call);
		this.#timer = setTimeout(() => this.finished(call), this.#slotMs * 4 ** call.replays);
		this.#send(call, worker);
	}

	/** Answered, lost again, or unharmful for long enough: the next may start. */
	finished(call: Call): void {
		if (this.#current !== call) return;
		this.#release();
		this.#parts.dispatch.pump();
	}

	/** The call stays in doubt, and on trial unless younger work need not wait, until the probe has spoken. */
	#probe(call: Call, worker: Worker, independent: boolean): void {
		if (!independent) this.#begin(call);
		void probeCall(this.#parts, call, worker).then((verdict) => {
			if (verdict === "again") this.add([call]);
			else if (verdict === "replay" && !call.settled && !worker.gone) {
				if (!independent) this.#timer = setTimeout(() => this.finished(call), this.#slotMs);
				return this.#send(call, worker);
			}
			if (!independent) this.finished(call);
			this.#parts.dispatch.pump();
		});
	}

	#begin(call: Call): void {
		this.#current = call;
	}

	#release(): void {
		clearTimeout(this.#timer);
		this.#current = undefined;
	}
}
