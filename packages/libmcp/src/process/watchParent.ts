const POLL_MS = 1_000;

/** Calls back once when the process that started this one is gone. Keeps nothing alive; the result stops the watch. */
export function watchParent(onOrphaned: () => void, pollMs: number = POLL_MS): () => void {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		onOrphaned();
	}, pollMs);
	timer.unref();
	return () => clearInterval(timer);
}
