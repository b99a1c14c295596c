/** When the reader of stdout has everything, cannot have it any more, or has had its time. */
export function stdoutFlushed(withinMs?: number): Promise<void> {
	return new Promise((resolve) => {
		if (process.stdout.writableLength === 0 || process.stdout.destroyed) return resolve();
		process.stdout.once("drain", resolve).once("error", () => resolve());
		if (withinMs !== undefined) setTimeout(resolve, withinMs);
	});
}
