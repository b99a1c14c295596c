import { availableParallelism } from "node:os";
import type { GatedThread, GatedThreadData } from "./gatedThread.ts";

export type RegexJob = { readonly source: string; readonly flags: string } & (
	| {
			readonly kind: "texts";
			/** Path of the index file, which the worker opens itself. */
			readonly index: string;
			readonly files: readonly { readonly target: number; readonly segment: number; readonly ordinal: number }[];
	  }
	| { readonly kind: "paths"; readonly paths: readonly string[] }
);

/** The work of one thread. `files` is a flat list of target, segment and ordinal. */
export type RegexPart =
	| (Omit<Extract<RegexJob, { kind: "texts" }>, "files"> & { readonly files: Int32Array })
	| Extract<RegexJob, { kind: "paths" }>;

export type RegexThreadData = GatedThreadData & { readonly threads: number };

/** Matched lines by target, ascending. */
export type LinesByTarget = ReadonlyMap<number, Uint32Array>;

/** `matches` is a flat list: a target, its number of lines, and the lines. */
export type RegexReport =
	| { readonly kind: "matches"; readonly matches: Uint32Array }
	| { readonly kind: "ready" }
	| { readonly kind: "done" };

export type RegexOutcome = {
	readonly matches: LinesByTarget;
	/** False if the time budget ran out first. */
	readonly complete: boolean;
};

export type RegexRunner = {
	run(job: RegexJob, budgetMs: number, signal?: AbortSignal): Promise<RegexOutcome>;
	close(): Promise<void>;
};

const THREADS: number = Math.min(availableParallelism(), 3);
/** Idle time after which the threads are ended; with their cached texts they take tens of megabytes. */
const REST_MS = 30_000;

/**
 * Runs regular expressions in a few threads; a pattern that exceeds its time limit is stopped by terminating its
 * threads.
 */
export function regexRunner(restMs: number = REST_MS): RegexRunner {
	/** Keyed by part number, so that a file goes to the thread that may have it cached. */
	const idle = new Map<number, GatedThread>();
	let resting: NodeJS.Timeout | undefined;
	const endIdle = async (): Promise<void> => {
		const threads = [...idle.values()];
		idle.clear();
		await Promise.all(threads.map((thread) => thread.terminate()));
	};
	const runPart = async (
		[slot, part]: readonly [number, RegexPart],
		budgetMs: number,
		signal?: AbortSignal,
	): Promise<RegexOutcome> => {
		const rested = idle.get(slot);
		idle.delete(slot);
		const worker = rested ?? (await startWorker());
		return new Promise((resolve, reject) => {
			worker.ref();
			const matches = new Map<number, Uint32Array>();
			let timer: NodeJS.Timeout | undefined;
			const settle = (healthy: boolean): void => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", stop);
				worker.off("message", hear).off("error", fail);
				if (healthy && !idle.has(slot)) {
					// An idle thread must not keep the program running.
					worker.unref();
					idle.set(slot, worker);
				} else void worker.terminate();
			};
			const finish = (complete: boolean): void => {
				settle(complete);
				if (signal?.aborted) reject(signal.reason);
				else resolve({ matches, complete });
			};
			const stop = (): void => finish(false);
			const fail = (error: Error): void => {
				settle(false);
				reject(error);
			};
			const hear = (report: RegexReport): void => {
				// The budget applies to the pattern, not to starting a thread.
				if (report.kind === "ready") timer = setTimeout(stop, budgetMs);
				else if (report.kind === "done") finish(true);
				else takeMatches(report.matches, matches);
			};
			signal?.addEventListener("abort", stop, { once: true });
			worker.on("message", hear).on("error", fail);
			if (signal?.aborted) stop();
			else worker.postMessage(part);
		});
	};
	return {
		run: async (job, budgetMs, signal) => {
			const outcomes = await Promise.all(partsOf(job).map((part) => runPart(part, budgetMs, signal)));
			clearTimeout(resting);
			resting = setTimeout(endIdle, restMs).unref();
			return {
				matches: new Map(outcomes.flatMap(({ matches }) => [...matches])),
				complete: outcomes.every(({ complete }) => complete),
			};
		},
		close: async () => {
			clearTimeout(resting);
			await endIdle();
		},
	};
}

function takeMatches(told: Uint32Array, matches: Map<number, Uint32Array>): void {
	for (let at = 0; at < told.length; ) {
		const end = at + 2 + (told[at + 1] ?? 0);
		matches.set(told[at] ?? 0, told.subarray(at + 2, end));
		at = end;
	}
}

/** Neighbouring files go to the same thread in groups of this size, since they share compressed blocks. */
const TOGETHER = 16;

/** Distributes files by number: neighbours have similar sizes, so every thread gets a fair share. */
function partsOf(job: RegexJob): (readonly [slot: number, RegexPart])[] {
	if (job.kind === "paths") return [[0, job]];
	const dealt = Map.groupBy(job.files, ({ target }) => Math.floor(target / TOGETHER) % THREADS);
	return [...dealt].map(([slot, files]) => [
		slot,
		{ ...job, files: Int32Array.from(files.flatMap(({ target, segment, ordinal }) => [target, segment, ordinal])) },
	]);
}

async function startWorker(): Promise<GatedThread> {
	const { GatedThread } = await import("./gatedThread.ts");
	// A small young generation, because discarded texts would otherwise accumulate between collections.
	const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 4 };
	return new GatedThread("./regexWorker", import.meta.url, { resourceLimits }, { threads: THREADS });
}
