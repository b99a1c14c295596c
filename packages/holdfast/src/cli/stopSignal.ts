/** Aborted when the command is to end: by a signal, or because the npm that runs it is gone. */
export function stopSignal(): AbortSignal {
	const stop = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
	if (isRunByNpm()) void import("libmcp").then(({ watchParent }) => watchParent(() => stop.abort()));
	return stop.signal;
}

/**
 * npm and npx pass a signal on to their shell, which dies of it and tells nobody. Anywhere else a parent may go without
 * taking the command along, as may a script that ends in `&`; and what npm runs hands its variables to all it starts.
 */
function isRunByNpm(): boolean {
	return /\bholdfast\b[^&]*$/.test(process.env.npm_lifecycle_script ?? "");
}
