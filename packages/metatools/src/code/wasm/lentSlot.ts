import type { RunSession } from "../runSession.ts";
import type { WorkerPool } from "./workerPool.ts";
import type { WorkerSlot } from "./workerSlot.ts";

/** Acquires a worker for a run. The deadline includes the wait: a run that ends while waiting gets none. */
export async function lentSlot(pool: WorkerPool, session: RunSession): Promise<WorkerSlot | undefined> {
	const waiting = new AbortController();
	void session.over.then(() => waiting.abort());
	const slot = await pool.acquire(waiting.signal);
	if (slot === "overloaded") session.fail("overloaded", "Too many runs wait for a sandbox; try again later.");
	else if (slot === "closed") session.fail("sandbox", "The sandbox has been closed.");
	else if (slot !== "gone") return slot;
	return undefined;
}
