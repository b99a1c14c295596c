const POLL_MS = 1_000;

/**
 * Calls back once when the process that started this one is gone, or the parent of another where that is asked for.
 * Keeps nothing alive; the result stops the watch.
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
