/** Never runs twice at once. A request during a run waits for one more run, since this one may already be past its cause. */
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
