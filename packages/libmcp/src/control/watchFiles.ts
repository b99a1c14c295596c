import { existsSync, statSync } from "node:fs";
import { watchPath } from "../command/watchPath.ts";

/** A build writes many files; it counts as finished after this much time without a change. */
const QUIET_MS = 300;

/** Calls back once after each burst of changes. Returns a function that stops watching. */
export function watchFiles(
	paths: readonly string[],
	changed: () => void,
	failed: (error: Error) => void = () => {},
): () => void {
	// A path that is misspelt would be waited for without a word.
	for (const path of paths) statSync(path);
	const touched = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	const settled = (): void => {
		// What a build has removed, it will make again; until then there is nothing to start.
		const isThere = [...touched].some((path) => existsSync(path));
		touched.clear();
		if (isThere) changed();
	};
	const stops = paths.map((path) =>
		watchPath(path, {
			touched: () => {
				touched.add(path);
				clearTimeout(timer);
				timer = setTimeout(settled, QUIET_MS);
			},
			failed,
		}),
	);
	return () => {
		clearTimeout(timer);
		for (const stop of stops) stop();
	};
}
