import type { Buffer } from "node:buffer";
import type { Fault } from "../../fault/fault.ts";
import { type FaultCode, makeFault } from "../../fault/faultTable.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import type { GarbageLimits } from "../settings/options.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Roster } from "../state/roster.ts";
import type { Worker } from "../worker/worker.ts";

/** Takes a line of a worker's output that is no message, or the beginning of a line of `size` bytes. */
type StrayOutput = (worker: Worker, line: Buffer, size: number) => void;

/** What watching stray output needs of the host. */
type StrayParts = {
	readonly settings: Pick<Settings, "garbage" | "onWorkerGarbage">;
	readonly record: Pick<HostRecord, "fault">;
	readonly roster: Pick<Roster, "replace">;
};

/** Prints and counts output that is no message, and replaces a worker that prints too much of it. */
export function watchStrayOutput(parts: StrayParts): StrayOutput {
	const watches = new WeakMap<Worker, GarbageWatch>();
	return (worker, line, size) => {
		const { settings, roster, record } = parts;
		if (isStderrRead()) settings.onWorkerGarbage(line);
		const watch = watches.get(worker) ?? new GarbageWatch(settings.garbage, worker.generation);
		watches.set(worker, watch);
		const { fault, replace } = watch.saw(size);
		if (replace && fault !== undefined) void roster.replace(worker, fault);
		else if (fault !== undefined) record.fault(fault);
	};
}

const MAX_UNREAD_STDERR = 1024 * 1024;

/** False when nobody reads our stderr: what a worker prints would then pile up in our memory. */
export function isStderrRead(): boolean {
	return process.stderr.writableLength < MAX_UNREAD_STDERR;
}

const WINDOW_MS = 60_000;
const BURST_GAP_MS = 1_000;

type GarbageVerdict = { readonly fault?: Fault; readonly replace: boolean };

/** Counts a worker's output that is not protocol: one fault per burst, and replacement past the limit. */
export class GarbageWatch {
	readonly #limits: GarbageLimits;
	readonly #generation: number;
	#lines = 0;
	#bytes = 0;
	#since = 0;
	#last = Number.NEGATIVE_INFINITY;

	constructor(limits: GarbageLimits, generation: number) {
		this.#limits = limits;
		this.#generation = generation;
	}

	saw(bytes: number, now: number = performance.now()): GarbageVerdict {
		if (now - this.#since > WINDOW_MS) {
			this.#since = now;
			this.#lines = 0;
			this.#bytes = 0;
		}
		this.#lines++;
		this.#bytes += bytes;
		const newBurst = now - this.#last > BURST_GAP_MS;
		this.#last = now;
		if (this.#lines > this.#limits.lines || this.#bytes > this.#limits.bytes) {
			return { fault: this.#fault("garbage_flood", "replace_worker"), replace: true };
		}
		return newBurst ? { fault: this.#fault("garbage_output", "keep_worker"), replace: false } : { replace: false };
	}

	#fault(code: FaultCode, hint: Fault["hint"]): Fault {
		const detail = `${this.#lines} lines (${this.#bytes} bytes) on stdout that are no protocol message`;
		return makeFault(code, { detail, generation: this.#generation, hint });
	}
}

const LOOK_AGAIN_MS = 100;

type CutOffParts = {
	readonly roster: Pick<Roster, "active" | "replace">;
	readonly dispatch: Pick<Dispatch, "idle">;
};

/**
 * Replaces a worker that closed one of its pipes and lives on. One that can no longer be told anything may still finish
 * its calls, while nothing waits for its successor.
 */
export function replaceCutOffWorker(parts: CutOffParts, worker: Worker, pipe: "input" | "output"): void {
	const { roster, dispatch } = parts;
	if (worker.over) return;
	const isWanted = roster.active === worker && !dispatch.idle;
	if (pipe === "input" && !(worker.calls.idle || isWanted || worker.isUnheeded)) {
		setTimeout(replaceCutOffWorker, LOOK_AGAIN_MS, parts, worker, pipe).unref();
		return;
	}
	const detail = `it closed its standard ${pipe} and lives on`;
	void roster.replace(worker, makeFault("worker_cut_off", { detail, generation: worker.generation }));
}
