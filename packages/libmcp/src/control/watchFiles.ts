import { existsSync, statSync } from "node:fs";
import { groupBursts, watchPath } from "../command/watchPath.ts";

/** A build writes many files in one go; a watched folder may hold a log that is written all the time. */
const BUILD = { quietMs: 300, mostMs: 10_000 } as const;

/** Calls back once after each burst of changes. Returns a function that stops watching. */
export function watchFiles(
	paths: readonly string[],
	changed: () => void,
	failed: (error: Error) => void = () => {},
): () => void {
	// A path that is misspelt would be waited for without a word.
	for (const path of paths) statSync(path);
	const touched = new Set<string>();
	const changes = groupBursts(() => {
		// What a build has removed, it will make again; until then there is nothing to start.
		const isThere = [...touched].some((path) => existsSync(path));
		touched.clear();
		if (isThere) changed();
	}, BUILD);
	const stops = paths.map((path) =>
		watchPath(path, {
			touched: () => {
				touched.add(path);
				changes.touch();
			},
			failed,
		}),
	);
	return () => {
		changes.stop();
		for (const stop of stops) stop();
	};
}
