import type { Site } from "./site.ts";

/** Waits until the site was closed, by the signal or by anybody else. */
export async function served(signal: AbortSignal, site: Site): Promise<void> {
	const stop = (): void => void site.close();
	signal.addEventListener("abort", stop, { once: true });
	if (signal.aborted) stop();
	await site.closed;
	signal.removeEventListener("abort", stop);
}
