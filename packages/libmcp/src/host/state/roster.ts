import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import type { RestartPolicy } from "../settings/options.ts";
import type { Worker } from "../worker/worker.ts";
import type { HostRecord } from "./hostRecord.ts";
import { RestartBudget } from "./restartBudget.ts";

/** The workers of a host: which one serves, which others live, and whether another may be started. */
export class Roster {
	readonly #record: Pick<HostRecord, "board" | "fault">;
	readonly budget: RestartBudget;
	readonly workers: Set<Worker> = new Set();
	/** The worker that new calls go to; it may still be warming up. */
	active: Worker | undefined;
	/** Of the latest worker. */
	generation = 0;

	constructor(record: Pick<HostRecord, "board" | "fault">, restarts: RestartPolicy) {
		this.#record = record;
		this.budget = new RestartBudget(restarts);
	}

	/** Ends a worker that has misbehaved; its death is then handled like any crash. */
	async replace(worker: Worker, fault: Fault): Promise<void> {
		if (worker.gone || worker.verdict !== undefined) return;
		this.#record.fault(fault);
		await worker.end(fault);
	}

	/** The fault with which calls fail at once while the breaker is open. */
	outage(): Fault | undefined {
		if (this.budget.state !== "open") return undefined;
		const { lastFault } = this.#record.board.snapshot();
		const last = lastFault === null ? "" : `; the last time: ${lastFault.code}, ${lastFault.detail}`;
		return makeFault("worker_unavailable", {
			detail: `the worker ended too often without an answer${last}`,
			generation: this.generation,
			retry: "later",
			retryAfterMs: this.budget.retryAfterMs,
		});
	}
}
