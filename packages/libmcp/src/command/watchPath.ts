import { type FSWatcher, readlinkSync, statSync, watch } from "node:fs";
import { basename, dirname, parse, relative, resolve, sep } from "node:path";
import { readErrorCode, toError } from "../fault/thrown.ts";

/** As many as the system itself follows. */
const MAX_LINKS = 40;

type PathEvents = {
	/** It was changed, made or removed. In a folder: the file below it, or null if the folder itself or not known. */
	touched(name: string | null): void;
	/** It cannot be watched, or only until it is next made or removed. */
	failed(error: Error): void;
};

/**
 * Watches a file, or a folder with all below it, which may be missing, or be removed and made again, or be reached by
 * symbolic links. Returns a function that stops it; it does not keep the process alive.
 */
export function watchPath(path: string, events: PathEvents): () => void {
	const target = resolve(path);
	let watchers: FSWatcher[] = [];
	let isThere = false;
	const stop = (): void => {
		for (const watcher of watchers) watcher.close();
		watchers = [];
	};
	const begin = (watching: () => FSWatcher): void => {
		try {
			watchers.push(watching());
		} catch (error) {
			if (readErrorCode(error) !== "ENOENT") events.failed(toError(error));
		}
	};
	const look = (): void => {
		stop();
		for (const place of placesOf(target)) begin(() => watchAbove(place, changedAbove).on("error", events.failed));
		isThere = kindOf(target) !== "missing";
		if (kindOf(target) === "folder") begin(() => watchBelow(target, events));
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

/** Where the target really is, and each symbolic link on the way: a change at any of them may change the target. */
function placesOf(target: string): Set<string> {
	const links: string[] = [];
	let path = target;
	while (links.length < MAX_LINKS) {
		const link = firstLink(path);
		if (link === undefined) break;
		links.push(link.at);
		path = resolve(dirname(link.at), link.to, relative(link.at, path));
	}
	// The system's own links, as /tmp on macOS, never change, and there a watch on the root folder is told of every file.
	return new Set([path, ...links.filter((link) => dirname(link) !== parse(link).root)]);
}

/** The shortest part of the path that is a symbolic link. */
function firstLink(path: string): { readonly at: string; readonly to: string } | undefined {
	const above = dirname(path);
	if (above === path) return undefined;
	const before = firstLink(above);
	if (before !== undefined) return before;
	try {
		return { at: path, to: readlinkSync(path) };
	} catch {
		// It is no link, or it is missing.
		return undefined;
	}
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
			if (readErrorCode(error) !== "ENOENT") throw error;
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

type BurstTimes = {
	/** A burst is over after this time without a touch. */
	readonly quietMs: number;
	/** One that does not end counts as over this long after its first touch, so that it cannot delay the run for ever. */
	readonly mostMs: number;
};

/** Runs once for each burst of touches. */
export function groupBursts(run: () => void, { quietMs, mostMs }: BurstTimes): { touch(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	let until = 0;
	const over = (): void => {
		timer = undefined;
		run();
	};
	return {
		touch() {
			if (timer === undefined) until = performance.now() + mostMs;
			clearTimeout(timer);
			timer = setTimeout(over, Math.max(0, Math.min(quietMs, until - performance.now()))).unref();
		},
		stop() {
			clearTimeout(timer);
		},
	};
}
