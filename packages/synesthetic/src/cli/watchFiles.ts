import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { schemaSource } from "../catalog/source.ts";
import type { Settings } from "../settings.ts";
import { printable, type Terminal } from "./terminal.ts";

const SETTLE_MS = 100;

/** A folder to watch: for one file in it, or for every JSON file below. */
type Watched = { readonly folder: string; readonly file?: string };

/**
 * Calls `again` when one of the files or a schema changes. Ends when interrupted, or at once if nothing can be watched.
 */
export function watchFiles(
	paths: readonly string[],
	settings: Settings,
	terminal: Terminal,
	again: () => void,
): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	// Measured from the first change of a burst, so that a file that keeps changing cannot delay the run forever.
	const changed = (): void => {
		timer ??= setTimeout(() => {
			timer = undefined;
			again();
		}, SETTLE_MS);
	};
	const watchers = watchedFolders(paths, settings).flatMap((watched) => watchFolder(watched, changed, terminal));
	if (watchers.length === 0) return Promise.resolve();
	return new Promise((resolve) => {
		const end = (): void => {
			clearTimeout(timer);
			for (const watcher of watchers) watcher.close();
			resolve();
		};
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
		terminal.err(`watching ${watchers.length} ${watchers.length === 1 ? "folder" : "folders"}; interrupt to end`);
	});
}

function watchedFolders(paths: readonly string[], settings: Settings): Watched[] {
	const schemas = schemaSource(settings);
	return [
		...paths.map((path) => (isFolder(path) ? { folder: path } : { folder: dirname(path), file: basename(path) })),
		...(schemas === undefined ? [] : [{ folder: schemas.directory }]),
	];
}

// Only validated files count: our own output may be redirected to a file in the same folder.
function watchFolder({ folder, file }: Watched, changed: () => void, terminal: Terminal): FSWatcher[] {
	const failed = (error: unknown): void => {
		const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
		terminal.err(`synesthetic: ${printable(folder)} cannot be watched: ${reason}`);
	};
	try {
		const watcher = watch(folder, { recursive: file === undefined }, (_event, name) => {
			if (name === null || (file === undefined ? name.endsWith(".json") : name === file)) changed();
		});
		return [watcher.on("error", failed)];
	} catch (error) {
		failed(error);
		return [];
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
