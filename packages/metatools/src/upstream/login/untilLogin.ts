import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 1_000;

/** Waits until what a login has stored changes, for as long as given at most; an abort ends the wait. */
export async function untilLogin(
	stored: () => string | undefined,
	{ mostMs, signal }: { readonly mostMs: number; readonly signal: AbortSignal },
): Promise<void> {
	const before = stored();
	const due = Date.now() + mostMs;
	while (Date.now() < due && stored() === before && !signal.aborted)
		await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
}
