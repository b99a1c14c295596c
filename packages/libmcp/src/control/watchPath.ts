import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";

export type PathEvents = {
	/** It was changed, made or removed. In a folder: the file below it, or null if the folder itself or not known. */
	touched(name: string | null): void;
	/** It cannot be watched, or only until it is next made or removed. */
	failed(error: Error): void;
};

/**
 * Watches a file, or a folder with all below it, which may be missing, or be removed and made again. Returns a function
 * that stops it; it does not keep the process alive.
 */
export function watchPath(path: string, events: PathEvents): () => void {
	const target = resolve(path);
	let watchers: FSWatcher[] = [];
	let isThere = false;
	const stop = (): void => {
		for (const watcher of watchers) watcher.close();
		watchers = [];
	};
	const look = (): void => {
		stop();
		try {
			watchers.push(watchAbove(target, changedAbove).on("error", events.failed));
			isThere = kindOf(target) !== "missing";
			if (kindOf(target) === "folder") watchers.push(watchBelow(target, events));
		} catch (error) {
			if (!isMissing(error)) events.failed(error instanceof Error ? error : new Error(String(error)));
		}
	};
	const changedAbove = (event: string): void => {
		// What changes in a folder, the watch on the folder itself tells.
		if (event === "change" && kindOf(target) === "folder") return;
		const wasThere = isThere;
		// A watch belongs to the file or folder that was there when it began, not to the next of that name.
		if (event === "rename") look();
		if (wasThere || isThere) events.touched(null);
	};
	look();
	return stop;
}

/** Watches the nearest folder above that exists, for what it holds on the way to the target. */
function watchAbove(target: string, changed: (event: string) => void): FSWatcher {
	for (;;) {
		const folder = nearestFolder(target);
		const next = relative(folder, target).split(sep)[0];
		try {
			const watcher = watch(folder, { persistent: false }, (event, name) => {
				// Its own name comes when the folder itself is removed or moved.
				if (name === null || name === next || name === basename(folder)) changed(event);
			});
			if (nearestFolder(target) === folder) return watcher;
			watcher.close();
		} catch (error) {
			if (!isMissing(error)) throw error;
		}
	}
}

function watchBelow(folder: string, { touched, failed }: PathEvents): FSWatcher {
	const watcher = watch(folder, { recursive: true, persistent: false }, (_event, name) => touched(name));
	return watcher.on("error", (error) => {
		// Some systems tell the removal of the folder as an error.
		if (kindOf(folder) === "folder") failed(error);
	});
}

function nearestFolder(path: string): string {
	const folder = dirname(path);
	return folder === dirname(folder) || kindOf(folder) === "folder" ? folder : nearestFolder(folder);
}

function kindOf(path: string): "file" | "folder" | "missing" {
	try {
		return statSync(path).isDirectory() ? "folder" : "file";
	} catch {
		return "missing";
	}
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "ENOENT";
}
