import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 1_000;

/** Waits until a login that is stored now is there no more: true. False if there is none, or the wait was aborted. */
export async function untilLogout(stored: () => string | undefined, signal: AbortSignal): Promise<boolean> {
	if (stored() === undefined) return false;
	while (!signal.aborted && stored() !== undefined)
		await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
	return !signal.aborted;
}
