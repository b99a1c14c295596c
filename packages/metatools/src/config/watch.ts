import { existsSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

const SETTLE_MS = 200;

/** Calls back once after any of the files changed and stayed quiet. Editors replace files, so their folders are watched. */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
	let timer: NodeJS.Timeout | undefined;
	const changed = () => {
		clearTimeout(timer);
		timer = setTimeout(onChange, SETTLE_MS).unref();
	};
	const byFolder = Map.groupBy(files, (file) => dirname(file));
	const stops = Array.from(byFolder, ([folder, members]) =>
		watchFolder(folder, new Set(members.map((file) => basename(file))), changed),
	);
	return () => {
		clearTimeout(timer);
		for (const stop of stops) stop();
	};
}

/** If the folder does not exist, watches its parent until it appears. */
function watchFolder(folder: string, names: ReadonlySet<string>, changed: () => void): () => void {
	let stop = existsSync(folder) || dirname(folder) === folder ? look() : wait();
	return () => stop();

	function wait(): () => void {
		return watchFolder(dirname(folder), new Set([basename(folder)]), () => {
			if (!existsSync(folder)) return;
			stop();
			stop = look();
			changed();
		});
	}

	function look(): () => void {
		try {
			const watcher = watch(folder, { persistent: false }, (_event, name) => {
				if (!existsSync(folder)) {
					stop();
					stop = wait();
				}
				if (name === null || names.has(name)) changed();
			});
			watcher.on("error", () => watcher.close());
			return () => watcher.close();
		} catch {
			// If the folder cannot be watched, only the automatic reload is lost.
			return () => {};
		}
	}
}
