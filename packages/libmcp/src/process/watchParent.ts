const POLL_MS = 1_000;

/**
 * Calls back once when this process's parent is gone, or that of another process if given. Does not keep the event loop
 * alive; the result stops the watch.
 */
export function watchParent(
	onOrphaned: () => void,
	pollMs: number = POLL_MS,
	parentNow: () => number | undefined = () => process.ppid,
): () => void {
	const parent = parentNow();
	const timer = setInterval(() => {
		if (parentNow() === parent) return;
		clearInterval(timer);
		onOrphaned();
	}, pollMs);
	timer.unref();
	return () => clearInterval(timer);
}
