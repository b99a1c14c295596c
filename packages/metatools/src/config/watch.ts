import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

const SETTLE_MS = 200;

/** Calls back once after any of the files changed and stayed quiet. Editors replace files, so their folders are watched. */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
	let timer: NodeJS.Timeout | undefined;
	const byFolder = Map.groupBy(files, (file) => dirname(file));
	const watchers: FSWatcher[] = [];
	for (const [folder, members] of byFolder) {
		const names = new Set(members.map((file) => basename(file)));
		try {
			const watcher = watch(folder, { persistent: false }, (_event, name) => {
				if (name !== null && !names.has(name)) return;
				clearTimeout(timer);
				timer = setTimeout(onChange, SETTLE_MS).unref();
			});
			watchers.push(watcher.on("error", () => watcher.close()));
		} catch {
			// A folder that cannot be watched only costs the reload.
		}
	}
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}
