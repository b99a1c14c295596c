import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

export type RegexJob = { readonly source: string; readonly flags: string } & (
	| {
			readonly kind: "texts";
			/** File of the index; the worker reads it by itself. */
			readonly index: string;
			readonly files: readonly { readonly target: number; readonly segment: number; readonly ordinal: number }[];
	  }
	| { readonly kind: "paths"; readonly paths: readonly string[] }
);

/** What one thread is given: files as target, segment and ordinal, one after the other. */
export type RegexPart =
	| (Omit<Extract<RegexJob, { kind: "texts" }>, "files"> & { readonly files: Int32Array })
	| Extract<RegexJob, { kind: "paths" }>;

/** A target and its matched lines. */
export type RegexMatch = readonly [target: number, lines: readonly number[]];

export type RegexReport =
	| { readonly kind: "matches"; readonly found: readonly RegexMatch[] }
	| { readonly kind: "ready" }
	| { readonly kind: "done" };

export type RegexOutcome = {
	/** Matched lines by target. */
	readonly matches: ReadonlyMap<number, readonly number[]>;
	/** False when the budget ran out first. */
	readonly complete: boolean;
};

export type RegexRunner = {
	run(job: RegexJob, budgetMs: number, signal?: AbortSignal): Promise<RegexOutcome>;
	close(): Promise<void>;
};

const THREADS: number = Math.min(availableParallelism(), 3);

/** A few threads for regular expressions; a pattern that overruns its budget takes its threads with it. */
export function regexRunner(): RegexRunner {
	/** By the part they are given, so that a file is read by the thread that may remember it. */
	const idle = new Map<number, Worker>();
	const runPart = (
		[slot, part]: readonly [number, RegexPart],
		budgetMs: number,
		signal?: AbortSignal,
	): Promise<RegexOutcome> =>
		new Promise((resolve, reject) => {
			const worker = idle.get(slot) ?? startWorker();
			idle.delete(slot);
			worker.ref();
			const matches = new Map<number, readonly number[]>();
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
				// The budget is for the pattern; a thread that is still starting has not begun it.
				if (report.kind === "ready") timer = setTimeout(stop, budgetMs);
				else if (report.kind === "done") finish(true);
				else for (const [target, lines] of report.found) matches.set(target, lines);
			};
			signal?.addEventListener("abort", stop, { once: true });
			worker.on("message", hear).on("error", fail);
			worker.postMessage(part);
		});
	return {
		run: async (job, budgetMs, signal) => {
			const outcomes = await Promise.all(partsOf(job).map((part) => runPart(part, budgetMs, signal)));
			return {
				matches: new Map(outcomes.flatMap(({ matches }) => [...matches])),
				complete: outcomes.every(({ complete }) => complete),
			};
		},
		close: async () => {
			const workers = [...idle.values()];
			idle.clear();
			await Promise.all(workers.map((worker) => worker.terminate()));
		},
	};
}

/** Files are dealt out by number, so that neighbours of like size fall to different threads. */
function partsOf(job: RegexJob): (readonly [slot: number, RegexPart])[] {
	if (job.kind === "paths") return [[0, job]];
	const dealt = Map.groupBy(job.files, ({ target }) => target % THREADS);
	return [...dealt].map(([slot, files]) => [
		slot,
		{ ...job, files: Int32Array.from(files.flatMap(({ target, segment, ordinal }) => [target, segment, ordinal])) },
	]);
}

function startWorker(): Worker {
	const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
	return new Worker(new URL(`./regexWorker.${extension}`, import.meta.url), {
		execArgv: ["--disable-warning=ExperimentalWarning"],
		workerData: THREADS,
		// A small nursery: texts read and thrown away would otherwise pile up before it is worth collecting them.
		resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 4 },
	});
}
