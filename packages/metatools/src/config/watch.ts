import { burst, watchPath } from "libmcp/command";

/** A client may keep its running state in a file that is followed, and write it all the time. */
const SETTLING = { quietMs: 200, mostMs: 2_000 } as const;

/** Calls back once after each burst of changes of any of the files. */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
	const { touch, stop } = burst(onChange, SETTLING);
	// If a folder cannot be watched, only the automatic reload is lost.
	const stops = files.map((file) => watchPath(file, { touched: touch, failed: () => {} }));
	return () => {
		stop();
		for (const stop of stops) stop();
	};
}
