import { CleatsError } from "../contract/errors.ts";
import { GatedThread } from "../expression/gatedThread.ts";
import type { AskedOfThread, Found, SearchJob, ThreadReport } from "./searchJob.ts";

/** The outcome of a job: its answer, `lost` if the thread died, or `stopped` if the thread was ended from here. */
export type Outcome = Promise<Found> | "lost" | "stopped";

export type WorkerEvents = {
	/** Called when the thread is ready or has finished jobs. */
	onReports(): void;
	onEnd(): void;
};

/** Same young-generation size as in the serving process. */
const NURSERY_MB = 24;
/** A thread that works on a cancelled job for longer than this is ended. */
const PATIENCE_MS = 50;

type Job = { readonly owner: object; readonly settle: (outcome: Outcome) => void; cancelled: boolean };

/** One search thread and its jobs. */
export class SearchWorker {
	readonly #thread: GatedThread;
	/** In the order in which the thread begins them. */
	readonly #jobs = new Map<number, Job>();
	readonly #added: AskedOfThread[] = [];
	readonly #events: WorkerEvents;
	#next = 1;
	#ready: boolean = false;
	#ended: boolean = false;

	/** `beside` is the URL of a module in the folder of the thread's program, `searchThread`. */
	constructor(events: WorkerEvents, beside: string = import.meta.url) {
		this.#events = events;
		const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB };
		this.#thread = new GatedThread("./searchThread", beside, { resourceLimits, stdout: true });
		// Pending searches keep the process alive by themselves.
		this.#thread.unref();
		this.#thread
			.on("message", (reports: readonly ThreadReport[]) => {
				for (const report of reports) this.#hear(report);
				events.onReports();
			})
			// Handled by `exit`, which follows.
			.on("error", () => {})
			.once("exit", () => this.#over());
	}

	get ready(): boolean {
		return this.#ready;
	}

	get load(): number {
		return this.#jobs.size;
	}

	/** Queues a job; `send` hands all queued jobs to the thread. */
	add(owner: object, job: SearchJob, settle: (outcome: Outcome) => void): void {
		const id = this.#next++;
		this.#jobs.set(id, { owner, settle, cancelled: false });
		this.#added.push({ id, job });
	}

	send(): void {
		if (this.#added.length > 0) this.#thread.postMessage(this.#added.splice(0));
	}

	/** Gives up the job of this owner, if it is here. */
	cancel(owner: object): void {
		const job = [...this.#jobs.values()].find((one) => one.owner === owner);
		if (job === undefined) return;
		job.cancelled = true;
		this.#limitFirst();
	}

	async end(): Promise<void> {
		this.#ready = false;
		this.#ended = true;
		await this.#thread.terminate();
	}

	/** Ends the thread if it keeps working on a cancelled job. A cancelled job that has not begun harms nobody. */
	#limitFirst(): void {
		const first = [...this.#jobs].at(0);
		if (!first?.[1].cancelled) return;
		setTimeout(() => {
			if (this.#jobs.has(first[0])) void this.end();
		}, PATIENCE_MS);
	}

	#hear(report: ThreadReport): void {
		if (report.kind === "ready") {
			this.#ready = true;
			return;
		}
		const job = this.#jobs.get(report.id);
		this.#jobs.delete(report.id);
		this.#limitFirst();
		if (job?.cancelled) return;
		if (report.kind === "found") job?.settle(Promise.resolve(report.found));
		else job?.settle(Promise.reject(new CleatsError(report.code, report.message, report.details)));
	}

	#over(): void {
		this.#ready = false;
		const lost = [...this.#jobs.values()].filter(({ cancelled }) => !cancelled);
		this.#jobs.clear();
		// The last first, since each goes before those that wait.
		for (const { settle } of lost.reverse()) settle(this.#ended ? "stopped" : "lost");
		this.#events.onEnd();
	}
}
