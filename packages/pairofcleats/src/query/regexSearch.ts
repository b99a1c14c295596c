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

export type RegexReport =
	| { readonly kind: "match"; readonly target: number; readonly lines: readonly number[] }
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

/** One thread for regular expressions; a pattern that overruns its budget takes the thread with it. */
export function regexRunner(): RegexRunner {
	let idle: Worker | undefined;
	const take = (): Worker => {
		const worker = idle ?? startWorker();
		idle = undefined;
		worker.ref();
		return worker;
	};
	return {
		run: (job, budgetMs, signal) =>
			new Promise((resolve, reject) => {
				const worker = take();
				const matches = new Map<number, readonly number[]>();
				let timer: NodeJS.Timeout | undefined;
				const settle = (healthy: boolean): void => {
					clearTimeout(timer);
					signal?.removeEventListener("abort", stop);
					worker.off("message", hear).off("error", fail);
					if (healthy && idle === undefined) {
						// An idle thread must not keep the program running.
						worker.unref();
						idle = worker;
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
					else matches.set(report.target, report.lines);
				};
				signal?.addEventListener("abort", stop, { once: true });
				worker.on("message", hear).on("error", fail);
				worker.postMessage(job);
			}),
		close: async () => {
			await idle?.terminate();
			idle = undefined;
		},
	};
}

function startWorker(): Worker {
	const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
	return new Worker(new URL(`./regexWorker.${extension}`, import.meta.url), {
		execArgv: ["--disable-warning=ExperimentalWarning"],
		resourceLimits: { maxOldGenerationSizeMb: 256 },
	});
}
