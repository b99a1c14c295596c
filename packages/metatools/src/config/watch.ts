import { watchPath } from "libmcp/command";

const SETTLE_MS = 200;

/** Calls back once after any of the files changed and stayed quiet. */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
	let timer: NodeJS.Timeout | undefined;
	const touched = () => {
		clearTimeout(timer);
		timer = setTimeout(onChange, SETTLE_MS).unref();
	};
	// If a folder cannot be watched, only the automatic reload is lost.
	const stops = files.map((file) => watchPath(file, { touched, failed: () => {} }));
	return () => {
		clearTimeout(timer);
		for (const stop of stops) stop();
	};
}
