import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 1_000;

/** Waits until what a login has stored is as wanted; false if the wait ended before, by its limit or an abort. */
export async function untilStored(
	isAsWanted: () => boolean,
	{ signal, mostMs = Number.POSITIVE_INFINITY }: { readonly signal: AbortSignal; readonly mostMs?: number },
): Promise<boolean> {
	const due = performance.now() + mostMs;
	while (!signal.aborted && performance.now() < due) {
		if (isAsWanted()) return true;
		await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
	}
	return false;
}
