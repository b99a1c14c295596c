import type { Site } from "./site.ts";

/** Waits until the site is closed, by the signal or by anyone else. */
export async function served(signal: AbortSignal, site: Site): Promise<void> {
	const stop = (): void => void site.close();
	signal.addEventListener("abort", stop, { once: true });
	if (signal.aborted) stop();
	await site.closed;
	signal.removeEventListener("abort", stop);
}
