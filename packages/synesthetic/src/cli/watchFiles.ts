import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { runInNewContext } from "node:vm";
import { burst, errorCode, watchPath } from "libmcp/command";
import { findSchemaSource } from "../catalog/folders.ts";
import type { Settings } from "../settings.ts";
import { escapeText, type Terminal } from "./terminal.ts";

const SETTLING = { quietMs: 100, mostMs: 100 } as const;
const LONGEST_MS = 2 ** 31 - 1;
/** Those that `breakOnSigint` does not break off a run for. */
const OTHER_SIGNALS = ["SIGTERM", "SIGHUP"] as const;

/**
 * Calls `again` when one of the files or a schema changes. Ends when interrupted, or at once if nothing can be watched.
 */
export function watchFiles(
	paths: readonly string[],
	settings: Settings,
	terminal: Terminal,
	again: () => void,
): Promise<void> {
	const { promise: ended, resolve } = Promise.withResolvers<void>();
	const end = (): void => {
		release();
		changes.stop();
		clearInterval(alive);
		for (const stop of stops) stop();
		resolve();
	};
	const attend = (): void => OTHER_SIGNALS.forEach((signal) => void process.on(signal, end));
	const release = (): void => OTHER_SIGNALS.forEach((signal) => void process.off(signal, end));
	const validate = (): void => {
		// Without a handler they end the process, even while a pattern backtracks.
		release();
		if (finishes(again)) attend();
		else end();
	};
	const changes = burst(validate, SETTLING);
	const schemas = findSchemaSource(settings)?.directory;
	const watched = [...paths, ...(schemas === undefined ? [] : [schemas])];
	const stops = watched.flatMap((path) => startWatching(path, changes.touch, terminal) ?? []);
	if (stops.length === 0) return Promise.resolve();
	// Watching does not keep the process alive by itself.
	const alive = setInterval(() => {}, LONGEST_MS);
	process.once("SIGINT", end);
	attend();
	terminal.err(`watching ${stops.length} ${stops.length === 1 ? "path" : "paths"}; interrupt to end`);
	return ended;
}

/** Whether `run` came to its end, and no interrupt ended it: a handler would wait for a pattern that backtracks forever. */
function finishes(run: () => void): boolean {
	try {
		runInNewContext("run()", { run }, { breakOnSigint: true });
		return true;
	} catch (error) {
		if (errorCode(error) === "ERR_SCRIPT_EXECUTION_INTERRUPTED") return false;
		throw error;
	}
}

/** Returns a function that stops watching; undefined if it cannot begin. */
function startWatching(path: string, changed: () => void, terminal: Terminal): (() => void) | undefined {
	const folder = isFolder(path) ? path : dirname(path);
	let hasFailed = false;
	const failed = (reason: string): void => {
		hasFailed = true;
		terminal.err(`synesthetic: ${escapeText(folder)} cannot be watched: ${reason}`);
	};
	if (!existsSync(folder)) {
		failed("ENOENT");
		return undefined;
	}
	const stop = watchPath(path, {
		// Only validated files count: our own output may be redirected to a file in the same folder.
		touched: (name) => void ((name === null || name.endsWith(".json")) && changed()),
		failed: (error) => failed(errorCode(error) ?? "unknown"),
	});
	if (!hasFailed) return stop;
	stop();
	return undefined;
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
