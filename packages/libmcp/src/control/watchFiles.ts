import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** A build writes many files; it counts as finished after this much time without a change. */
const QUIET_MS = 300;

/** Calls back once after each burst of changes. Returns a function that stops watching. */
export function watchFiles(paths: readonly string[], changed: () => void): () => void {
	let timer: NodeJS.Timeout | undefined;
	const touched = (): void => {
		clearTimeout(timer);
		timer = setTimeout(changed, QUIET_MS);
	};
	const watchers = paths.map((path) => watchPath(path, touched));
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}

/** Watches the folder: editors and builds replace the file, and a watch on the file itself would miss the new one. */
function watchPath(path: string, touched: () => void): FSWatcher {
	const isFolder = statSync(path).isDirectory();
	const watcher = isFolder
		? watch(path, { recursive: true, persistent: false }, touched)
		: watch(dirname(path), { persistent: false }, (_event, name) => {
				if (name === null || name === basename(path)) touched();
			});
	watcher.on("error", () => {});
	return watcher;
}
