/** Runs one at a time. Who asks while it runs waits for one more run: what they ask for may come too late for this one. */
export function onceMore(run: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	const ask = (): Promise<void> => {
		if (running === undefined) {
			running = run().finally(() => {
				running = undefined;
			});
			return running;
		}
		next ??= running.then(() => {
			next = undefined;
			return ask();
		});
		return next;
	};
	return ask;
}
