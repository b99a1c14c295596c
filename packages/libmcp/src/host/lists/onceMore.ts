/** Never runs twice at once. A request during a run gets one more run, since the current one may miss its cause. */
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
