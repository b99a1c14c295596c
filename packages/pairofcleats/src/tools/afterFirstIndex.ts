import { setTimeout as delay } from "node:timers/promises";
import { CleatsError } from "../contract/errors.ts";

/** How long a call waits for the first index. A model has no clock, and would ask again at once or never. */
const LONGEST_WAIT_MS = 20_000;
const PAUSE_MS = 200;

/** Asks again while the repository's first index is being built. */
export async function afterFirstIndex<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
	const until = performance.now() + LONGEST_WAIT_MS;
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			if (!isBeingBuilt(error) || performance.now() > until) throw error;
		}
		await delay(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
	}
}

function isBeingBuilt(error: unknown): boolean {
	return error instanceof CleatsError && error.details.reason === "being_built";
}
