/**
 * Polls, for what has no event: ever less often, because looking may be costly.
 * It waits a minute, since only what is broken needs all of it, and a busy machine much.
 */
export async function until(
	holds: () => boolean | Promise<boolean>,
	what: string = String(holds),
	withinMs: number = 60_000,
): Promise<void> {
	const end = performance.now() + withinMs;
	for (let pauseMs = 5; !(await holds()); pauseMs = Math.min(100, pauseMs * 1.25)) {
		if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
	}
}
