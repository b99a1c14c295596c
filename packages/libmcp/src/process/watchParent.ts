const POLL_MS = 1_000;

/**
 * Calls back once when the parent, as `parentNow` reports it, has changed, which means that it is gone. Does not keep
 * the event loop alive; the returned function stops the watch.
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
