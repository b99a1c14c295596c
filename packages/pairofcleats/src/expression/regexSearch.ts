import { availableParallelism } from "node:os";
import type { GatedThread, GatedThreadData } from "./gatedThread.ts";
import type { Piece } from "./longLines.ts";

export type RegexJob = { readonly source: string; readonly flags: string } & (
	| {
			readonly kind: "texts";
			/** Path of the index file, which the worker opens itself. */
			readonly index: string;
			/** The generation that the files are of. */
			readonly generation: number;
			readonly files: readonly RegexFile[];
	  }
	| { readonly kind: "given"; readonly texts: readonly RegexText[] }
	| { readonly kind: "paths"; readonly paths: readonly string[] }
);

export type RegexFile = {
	readonly target: number;
	readonly segment: number;
	readonly ordinal: number;
	readonly pieces: readonly Piece[];
};

export type RegexText = { readonly target: number; readonly text: string; readonly pieces: readonly Piece[] };

/**
 * The work of one thread. `files` is a flat list of target, segment and ordinal; `pieces`, for targets with very long
 * lines, of number, start and end.
 */
export type RegexPart =
	| (Omit<Extract<RegexJob, { kind: "texts" }>, "files"> & {
			readonly files: Int32Array;
			readonly pieces: ReadonlyMap<number, Int32Array>;
	  })
	| Extract<RegexJob, { kind: "given" | "paths" }>;

export type RegexThreadData = GatedThreadData & { readonly threads: number };

/** Where a pattern matched in one target. */
export type Matched = {
	/** Ascending. */
	readonly lines: Uint32Array;
	/** For each touched piece of a very long line, where the match begins in it. */
	readonly pieces: ReadonlyMap<number, number>;
};

export type MatchesByTarget = ReadonlyMap<number, Matched>;

/**
 * `matches` is a flat list: a target, its number of lines and of touched pieces, the lines, and the pieces as pairs.
 * `searched` counts the targets that are done with, those of them in `missing` unread.
 */
export type RegexReport =
	| {
			readonly kind: "matches";
			readonly matches: Uint32Array;
			readonly searched: number;
			readonly missing: readonly number[];
	  }
	| { readonly kind: "ready" }
	| { readonly kind: "done" };

export type RegexOutcome = {
	readonly matches: MatchesByTarget;
	/** The targets that the time budget did not suffice for. */
	readonly unsearched: readonly number[];
};

export type RegexRun = RegexOutcome & {
	/** The targets whose text the index no longer had when a thread opened it. */
	readonly missing: readonly number[];
};

export type RegexRunner = {
	run(job: RegexJob, budgetMs: number, signal?: AbortSignal): Promise<RegexRun>;
	close(): Promise<void>;
};

const THREADS: number = Math.min(availableParallelism(), 3);
/** Idle time after which the threads are ended; with their cached texts they take tens of megabytes. */
const REST_MS = 30_000;

/**
 * Runs regular expressions in a few threads; a pattern that exceeds its time limit is stopped by terminating its
 * threads.
 */
export function startRegexRunner(restMs: number = REST_MS): RegexRunner {
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
	): Promise<RegexRun> => {
		const rested = idle.get(slot);
		idle.delete(slot);
		const thread = rested ?? (await startWorker());
		const release = (healthy: boolean): void => {
			if (healthy && !idle.has(slot)) {
				// An idle thread must not keep the program running.
				thread.unref();
				idle.set(slot, thread);
			} else void thread.terminate();
		};
		return searchPart(thread, part, budgetMs, release, signal);
	};
	return {
		run: async (job, budgetMs, signal) => {
			const outcomes = await Promise.all(partsOf(job).map((part) => runPart(part, budgetMs, signal)));
			clearTimeout(resting);
			resting = setTimeout(endIdle, restMs).unref();
			return {
				matches: new Map(outcomes.flatMap(({ matches }) => [...matches])),
				unsearched: outcomes.flatMap(({ unsearched }) => unsearched),
				missing: outcomes.flatMap(({ missing }) => missing),
			};
		},
		close: async () => {
			clearTimeout(resting);
			await endIdle();
		},
	};
}

/** Has a thread do one part, and releases it, as healthy if it can do another. */
function searchPart(
	thread: GatedThread,
	part: RegexPart,
	budgetMs: number,
	release: (healthy: boolean) => void,
	signal: AbortSignal | undefined,
): Promise<RegexRun> {
	return new Promise((resolve, reject) => {
		thread.ref();
		const matches = new Map<number, Matched>();
		const missing: number[] = [];
		let searched = 0;
		let timer: NodeJS.Timeout | undefined;
		const settle = (healthy: boolean): void => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", stop);
			thread.off("message", hear).off("error", fail);
			release(healthy);
		};
		const finish = (complete: boolean): void => {
			settle(complete);
			if (signal?.aborted) reject(signal.reason);
			else resolve({ matches, unsearched: complete ? [] : targetsOf(part).slice(searched), missing });
		};
		const stop = (): void => finish(false);
		const fail = (error: Error): void => {
			settle(false);
			reject(error);
		};
		const hear = (report: RegexReport): void => {
			switch (report.kind) {
				case "ready":
					// The budget applies to the pattern, not to starting a thread.
					timer = setTimeout(stop, budgetMs);
					break;
				case "matches":
					takeMatches(report.matches, matches);
					missing.push(...report.missing);
					searched = report.searched;
					break;
				case "done":
					finish(true);
			}
		};
		signal?.addEventListener("abort", stop, { once: true });
		thread.on("message", hear).on("error", fail);
		if (signal?.aborted) stop();
		else thread.postMessage(part);
	});
}

function takeMatches(told: Uint32Array, matches: Map<number, Matched>): void {
	for (let at = 0; at < told.length; ) {
		const [target = 0, lines = 0, touched = 0] = told.subarray(at, at + 3);
		const piecesAt = at + 3 + lines;
		const pieces = new Map<number, number>();
		for (let pair = 0; pair < touched; pair++)
			pieces.set(told[piecesAt + 2 * pair] ?? 0, told[piecesAt + 2 * pair + 1] ?? 0);
		matches.set(target, { lines: told.subarray(at + 3, piecesAt), pieces });
		at = piecesAt + 2 * touched;
	}
}

function targetsOf(part: RegexPart): number[] {
	switch (part.kind) {
		case "paths":
			return [...part.paths.keys()];
		case "given":
			return part.texts.map(({ target }) => target);
		case "texts":
			return [...part.files].filter((_, at) => at % 3 === 0);
	}
}

/** Neighbouring files go to the same thread in groups of this size, since they share compressed blocks. */
const TOGETHER = 16;

/** Distributes files by number: neighbours have similar sizes, so every thread gets a fair share. */
function partsOf(job: RegexJob): (readonly [slot: number, RegexPart])[] {
	if (job.kind !== "texts") return [[0, job]];
	const dealt = Map.groupBy(job.files, ({ target }) => Math.floor(target / TOGETHER) % THREADS);
	return [...dealt].map(([slot, files]) => [
		slot,
		{
			...job,
			files: Int32Array.from(files.flatMap(({ target, segment, ordinal }) => [target, segment, ordinal])),
			pieces: new Map(
				files.flatMap(({ target, pieces }) => (pieces.length === 0 ? [] : [[target, flattenMatches(pieces)] as const])),
			),
		},
	]);
}

export function flattenMatches(pieces: readonly Piece[]): Int32Array {
	return Int32Array.from(pieces.flatMap(({ number, start, end }) => [number, start, end]));
}

async function startWorker(): Promise<GatedThread> {
	const { GatedThread } = await import("./gatedThread.ts");
	// A small young generation, because discarded texts would otherwise accumulate between collections.
	const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 4 };
	return new GatedThread("./regexWorker", import.meta.url, { resourceLimits }, { threads: THREADS });
}
