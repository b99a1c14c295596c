import { availableParallelism } from "node:os";
import { CleatsError } from "../contract/errors.ts";
import type { Found, SearchJob } from "./searchJob.ts";
import { SearchWorker } from "./searchWorker.ts";

/** Threads are started only after this many searches had to wait, because they take memory. */
const WAITS_BEFORE_THREADS = 32;
const MOST_THREADS = 4;
/** A search that blocks the serving thread for longer than this would delay cancellations. */
const SLOW_MS = 50;
/** One slow search can be chance; a second one within this many searches is not. */
const QUICK_BETWEEN = 8;
/** Jobs queued per thread, so that it does not idle until the next message. */
const JOBS_A_THREAD = 6;
const IDLE_MS = 30_000;
const MOST_LOSSES = 3;

type Task = {
	/** Number of threads that died while running it, because of it or of another job. */
	losses: number;
	readonly job: SearchJob;
	/** The same search on the calling thread. */
	readonly here: () => Promise<Found>;
	readonly settle: (outcome: Promise<Found>) => void;
};

export type PoolLoad = {
	/** Threads that are ready for work. */
	readonly ready: number;
	readonly waiting: number;
	/** Searches that threads have answered so far. */
	readonly answeredThere: number;
};

export type PoolOptions = {
	readonly threads?: number;
	readonly waitsBeforeThreads?: number;
	readonly slowMs?: number;
	/** URL of a module whose folder contains an alternative thread program. */
	readonly beside?: string;
};

/**
 * Runs searches on the calling thread while they come one at a time. Searches that would have to wait go to threads,
 * and once some have been slow, all searches do.
 */
export class SearchPool {
	readonly #most: number;
	readonly #waitsBeforeThreads: number;
	readonly #slowMs: number;
	readonly #beside: string | undefined;
	readonly #workers = new Set<SearchWorker>();
	readonly #waiting: Task[] = [];
	#busyHere: boolean = false;
	#slow: boolean = false;
	#quickToCome = 0;
	#waits = 0;
	#answeredThere = 0;
	#closed = false;
	#idle: NodeJS.Timeout | undefined;

	constructor(options: PoolOptions = {}) {
		this.#most = options.threads ?? Math.min(MOST_THREADS, availableParallelism() - 1);
		this.#waitsBeforeThreads = options.waitsBeforeThreads ?? WAITS_BEFORE_THREADS;
		this.#slowMs = options.slowMs ?? SLOW_MS;
		this.#beside = options.beside;
	}

	get load(): PoolLoad {
		const ready = [...this.#workers].filter((worker) => worker.ready).length;
		return { ready, waiting: this.#waiting.length, answeredThere: this.#answeredThere };
	}

	async run(job: SearchJob, here: () => Promise<Found>, signal: AbortSignal): Promise<Found> {
		if (this.#mayRunHere && this.#waiting.length === 0) return this.#runHere(here);
		return new Promise((resolve, reject) => {
			const onAbort = (): void => {
				const place = this.#waiting.indexOf(task);
				if (place !== -1) this.#waiting.splice(place, 1);
				else for (const worker of this.#workers) worker.cancel(task);
				reject(signal.reason);
			};
			const task: Task = {
				losses: 0,
				job,
				here,
				settle: (outcome) => {
					signal.removeEventListener("abort", onAbort);
					resolve(outcome);
				},
			};
			signal.addEventListener("abort", onAbort, { once: true });
			this.#waiting.push(task);
			this.#waits += 1;
			this.#shareOut();
		});
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#idle);
		const workers = [...this.#workers];
		this.#workers.clear();
		await Promise.all(workers.map((worker) => worker.end()));
	}

	get #mayRunHere(): boolean {
		return !(this.#busyHere || (this.#slow && this.load.ready > 0));
	}

	async #runHere(here: () => Promise<Found>): Promise<Found> {
		this.#busyHere = true;
		try {
			const found = await here();
			this.#judge(found.blockedMs);
			return found;
		} finally {
			this.#busyHere = false;
			if (this.#slow || this.#waiting.length > 0) setImmediate(() => this.#shareOut());
		}
	}

	#judge(blockedMs: number): void {
		const wasSlow = blockedMs > this.#slowMs;
		this.#slow ||= wasSlow && this.#quickToCome > 0;
		this.#quickToCome = wasSlow ? QUICK_BETWEEN : Math.max(0, this.#quickToCome - 1);
	}

	#shareOut(): void {
		if ((this.#slow || this.#waits >= this.#waitsBeforeThreads) && !this.#closed) this.#startWorkers();
		for (const worker of this.#workers) {
			while (worker.ready && worker.load < JOBS_A_THREAD && this.#waiting.length > 0) this.#giveNext(worker);
			worker.send();
		}
		if (!this.#mayRunHere) return;
		const task = this.#waiting.shift();
		if (task !== undefined) task.settle(this.#runHere(task.here));
	}

	#giveNext(worker: SearchWorker): void {
		const task = this.#waiting.shift();
		if (task === undefined) return;
		this.#idle?.refresh();
		worker.add(task, task.job, (outcome) => {
			// Retry a search whose thread is gone, unless the search may be the cause.
			if (outcome === "stopped" || (outcome === "lost" && ++task.losses < MOST_LOSSES)) this.#waiting.unshift(task);
			else if (outcome === "lost") {
				task.settle(
					Promise.reject(new CleatsError("INTERNAL", `${task.losses} search threads ended under this search`)),
				);
			} else {
				this.#answeredThere += 1;
				task.settle(outcome);
			}
		});
	}

	#startWorkers(): void {
		while (this.#workers.size < this.#most) {
			const events = {
				onReports: () => this.#shareOut(),
				onEnd: () => {
					this.#workers.delete(worker);
					this.#shareOut();
				},
			};
			const worker: SearchWorker = new SearchWorker(events, this.#beside);
			this.#workers.add(worker);
		}
		this.#idle ??= setTimeout(() => this.#rest(), IDLE_MS).unref();
	}

	#rest(): void {
		this.#idle = undefined;
		this.#waits = 0;
		this.#slow = false;
		for (const worker of this.#workers) void worker.end();
		this.#workers.clear();
	}
}
