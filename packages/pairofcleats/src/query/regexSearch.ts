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
		return worker;
	};
	return {
		run: (job, budgetMs, signal) =>
			new Promise((resolve, reject) => {
				const worker = take();
				const matches = new Map<number, readonly number[]>();
				const finish = (complete: boolean): void => {
					clearTimeout(timer);
					signal?.removeEventListener("abort", stop);
					worker.removeAllListeners();
					if (complete && idle === undefined) idle = worker;
					else void worker.terminate();
					if (signal?.aborted) reject(signal.reason);
					else resolve({ matches, complete });
				};
				const stop = (): void => finish(false);
				const timer = setTimeout(stop, budgetMs);
				signal?.addEventListener("abort", stop, { once: true });
				worker.on("message", (report: RegexReport) => {
					if (report.kind === "done") finish(true);
					else matches.set(report.target, report.lines);
				});
				worker.on("error", (error) => {
					clearTimeout(timer);
					reject(error);
				});
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
	const worker = new Worker(new URL(`./regexWorker.${extension}`, import.meta.url), {
		execArgv: ["--disable-warning=ExperimentalWarning"],
		resourceLimits: { maxOldGenerationSizeMb: 256 },
	});
	worker.unref();
	return worker;
}
