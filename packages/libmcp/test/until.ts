/** Polls, for what has no event; generous, since only what is broken needs it all. */
export async function until(condition: () => boolean, what: string, limitMs: number = 30_000): Promise<void> {
	const deadline = performance.now() + limitMs;
	while (!condition()) {
		if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
