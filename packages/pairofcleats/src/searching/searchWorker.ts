import { CleatsError } from "../contract/errors.ts";
import { GatedThread } from "../expression/gatedThread.ts";
import type { AskedOfThread, Found, SearchJob, ThreadReport } from "./searchJob.ts";

/** The outcome of a job: its answer, or `lost` if the thread died. */
export type Outcome = Promise<Found> | "lost";

export type WorkerEvents = {
	/** Called when the thread is ready or has finished jobs. */
	onReports(): void;
	onEnd(): void;
};

/** Same young-generation size as in the serving process. */
const NURSERY_MB = 24;

/** One search thread and its jobs. */
export class SearchWorker {
	readonly #thread: GatedThread;
	readonly #jobs = new Map<number, { readonly owner: object; readonly settle: (outcome: Outcome) => void }>();
	readonly #added: AskedOfThread[] = [];
	readonly #events: WorkerEvents;
	#next = 1;
	#ready: boolean = false;

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

	has(owner: object): boolean {
		return [...this.#jobs.values()].some((job) => job.owner === owner);
	}

	/** Queues a job; `send` hands all queued jobs to the thread. */
	add(owner: object, job: SearchJob, settle: (outcome: Outcome) => void): void {
		const id = this.#next++;
		this.#jobs.set(id, { owner, settle });
		this.#added.push({ id, job });
	}

	send(): void {
		if (this.#added.length > 0) this.#thread.postMessage(this.#added.splice(0));
	}

	/** Gives up a cancelled job; a thread that keeps working on it is terminated. */
	abandon(owner: object, patienceMs: number): void {
		const id = [...this.#jobs].find(([, job]) => job.owner === owner)?.[0];
		if (id === undefined) return;
		this.#jobs.set(id, { owner: {}, settle: () => {} });
		setTimeout(() => {
			if (this.#jobs.has(id)) void this.end();
		}, patienceMs);
	}

	async end(): Promise<void> {
		this.#ready = false;
		await this.#thread.terminate();
	}

	#hear(report: ThreadReport): void {
		if (report.kind === "ready") {
			this.#ready = true;
			return;
		}
		const job = this.#jobs.get(report.id);
		this.#jobs.delete(report.id);
		if (report.kind === "found") job?.settle(Promise.resolve(report.found));
		else job?.settle(Promise.reject(new CleatsError(report.code, report.message, report.details)));
	}

	#over(): void {
		this.#ready = false;
		const lost = [...this.#jobs.values()];
		this.#jobs.clear();
		for (const { settle } of lost) settle("lost");
		this.#events.onEnd();
	}
}
