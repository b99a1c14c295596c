import { Worker } from "node:worker_threads";
import { CleatsError } from "../contract/errors.ts";
import type { Found, SearchJob, ThreadReport } from "./searchJob.ts";

/** What became of a job: its answer, or `lost` with the thread. */
export type Outcome = Promise<Found> | "lost";

export type WorkerEvents = { onReady(): void; onEnd(): void };

/** One search thread and what it was given to do. */
export class SearchWorker {
	readonly #thread: Worker;
	readonly #jobs = new Map<number, { readonly owner: object; readonly settle: (outcome: Outcome) => void }>();
	readonly #events: WorkerEvents;
	#next = 1;
	#ready: boolean = false;

	constructor(events: WorkerEvents) {
		this.#events = events;
		const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
		this.#thread = new Worker(new URL(`./searchThread.${extension}`, import.meta.url), {
			execArgv: ["--disable-warning=ExperimentalWarning"],
			stdout: true,
		});
		// Searches in hand keep the process alive by themselves.
		this.#thread.unref();
		this.#thread
			.on("message", (report: ThreadReport) => this.#hear(report))
			// Told of by `exit`, which comes after.
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

	run(owner: object, job: SearchJob, settle: (outcome: Outcome) => void): void {
		const id = this.#next++;
		this.#jobs.set(id, { owner, settle });
		this.#thread.postMessage({ id, job });
	}

	/** Nobody waits for this one any more; a thread that stays with it all the same is ended. */
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
			this.#events.onReady();
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
		this.#events.onEnd();
		for (const { settle } of lost) settle("lost");
	}
}
