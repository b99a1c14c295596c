import { defaultLimits } from "../engine.ts";
import type { RunSession } from "../session/runSession.ts";
import { WorkerSlot } from "./workerSlot.ts";

export type WorkerPoolOptions = {
	readonly maxWorkers: number;
	readonly maxQueue: number;
	/** How long an idle worker is kept; the last one is kept for good. */
	readonly idleMs: number;
	/** A worker is replaced after this many runs, so that leaks in an engine cannot add up. */
	readonly maxRuns: number;
	readonly memoryBytes: number;
};

const defaults: WorkerPoolOptions = {
	maxWorkers: 8,
	maxQueue: 64,
	idleMs: 30_000,
	maxRuns: 500,
	memoryBytes: defaultLimits.memoryBytes,
};

type Waiter = { readonly give: (slot: WorkerSlot | "closed" | "gone") => void };

/** Keeps workers warm, lends each to one run at a time, and lets runs wait in order when all are lent. */
export class WorkerPool {
	readonly #options: WorkerPoolOptions;
	readonly #all = new Set<WorkerSlot>();
	readonly #idle: WorkerSlot[] = [];
	readonly #waiters: Waiter[] = [];
	#starting = 0;
	#closed: boolean = false;
	#trimmer: NodeJS.Timeout | undefined;

	constructor(options: Partial<WorkerPoolOptions> = {}) {
		this.#options = { ...defaults, ...options };
	}

	get closed(): boolean {
		return this.#closed;
	}

	/** Lends a slot; `gone` if the signal was aborted while waiting. */
	async acquire(signal: AbortSignal): Promise<WorkerSlot | "overloaded" | "closed" | "gone"> {
		if (this.#closed) return "closed";
		const idle = this.#idle.pop();
		if (idle !== undefined) return idle;
		if (this.#all.size + this.#starting < this.#options.maxWorkers) return this.#grow();
		if (this.#waiters.length >= this.#options.maxQueue) return "overloaded";
		return this.#wait(signal);
	}

	/** Gives a slot back; one that is not reusable is ended and replaced when somebody waits. */
	release(slot: WorkerSlot, reusable: boolean): void {
		slot.letGo();
		slot.runs += 1;
		if (!reusable || !slot.alive || slot.runs >= this.#options.maxRuns || this.#closed) {
			this.#drop(slot);
			this.#serveWaiter();
			return;
		}
		const waiter = this.#waiters.shift();
		if (waiter !== undefined) waiter.give(slot);
		else {
			this.#idle.push(slot);
			this.#trimLater();
		}
	}

	/** Starts a worker ahead of the first run, to save it the wait; if that fails, the first run reports why. */
	async warm(): Promise<void> {
		const slot = await this.#grow().catch(() => "closed" as const);
		if (slot !== "closed") this.release(slot, true);
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#trimmer);
		for (const waiter of this.#waiters.splice(0)) waiter.give("closed");
		await Promise.all([...this.#all].map((slot) => slot.terminate()));
		this.#all.clear();
	}

	async #grow(): Promise<WorkerSlot | "closed"> {
		this.#starting += 1;
		try {
			const slot = await WorkerSlot.create(this.#options.memoryBytes, (dead) => this.#forget(dead));
			this.#all.add(slot);
			if (!this.#closed) return slot;
			await slot.terminate();
			return "closed";
		} finally {
			this.#starting -= 1;
		}
	}

	#wait(signal: AbortSignal): Promise<WorkerSlot | "closed" | "gone"> {
		return new Promise((resolve) => {
			const waiter: Waiter = {
				give: (slot) => {
					signal.removeEventListener("abort", onAbort);
					resolve(slot);
				},
			};
			const onAbort = (): void => {
				this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
				resolve("gone");
			};
			signal.addEventListener("abort", onAbort, { once: true });
			this.#waiters.push(waiter);
		});
	}

	#serveWaiter(): void {
		if (this.#closed || this.#waiters.length === 0) return;
		const growing = this.#grow().catch(() => "closed" as const);
		void growing.then((slot) => {
			const waiter = this.#waiters.shift();
			if (waiter !== undefined) waiter.give(slot);
			else if (slot !== "closed") this.release(slot, true);
		});
	}

	#drop(slot: WorkerSlot): void {
		this.#forget(slot);
		void slot.terminate();
	}

	#forget(slot: WorkerSlot): void {
		this.#all.delete(slot);
		const at = this.#idle.indexOf(slot);
		if (at >= 0) this.#idle.splice(at, 1);
	}

	#trimLater(): void {
		clearTimeout(this.#trimmer);
		this.#trimmer = setTimeout(() => {
			for (const slot of this.#idle.slice(1)) this.#drop(slot);
		}, this.#options.idleMs).unref();
	}
}

/** Acquires a worker for a run. The deadline includes the wait: a run that ends while waiting gets none. */
export async function borrowSlot(pool: WorkerPool, session: RunSession): Promise<WorkerSlot | undefined> {
	const waiting = new AbortController();
	void session.over.then(() => waiting.abort());
	const slot = await pool.acquire(waiting.signal);
	if (slot === "overloaded") session.fail("overloaded", "Too many runs wait for a sandbox; try again later.");
	else if (slot === "closed") session.fail("sandbox", "The sandbox has been closed.");
	else if (slot !== "gone") return slot;
	return undefined;
}
