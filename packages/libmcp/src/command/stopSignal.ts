import { watchParent } from "../process/watchParent.ts";

/** Aborted when this command is to end: by a signal, or because the npm that runs it is gone. */
export function stopSignal(command: string): AbortSignal {
	const stop = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
	if (isRunByNpm(command)) watchParent(() => stop.abort());
	return stop.signal;
}

/**
 * npm and npx pass a signal on to their shell, which dies of it and tells nobody. Anywhere else a parent may go without
 * taking the command along, as may a script that ends in `&`; and what npm runs hands its variables to all it starts.
 */
function isRunByNpm(command: string): boolean {
	return new RegExp(`\\b${command}\\b[^&]*$`).test(process.env.npm_lifecycle_script ?? "");
}
