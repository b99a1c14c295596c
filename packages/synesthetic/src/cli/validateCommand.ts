import { watch } from "node:fs";
import { dirname } from "node:path";
import { Assets } from "../assets.ts";
import type { Settings } from "../settings.ts";
import { printable, type Terminal } from "./terminal.ts";
import { exitCodeOf, expandPaths, type FileVerdict, validateFile } from "./validateFiles.ts";
import { summaryLine, verdictLines } from "./verdictLines.ts";

export type ValidateOptions = {
	readonly paths: readonly string[];
	readonly schema?: string;
	readonly watch: boolean;
	/** JSON even where a person reads. */
	readonly json: boolean;
};

/**
 * One JSON result for one path; for several, or a folder, one line each that begins with its path. A person at a terminal
 * gets words.
 */
export async function validateCommand(
	options: ValidateOptions,
	settings: Settings,
	terminal: Terminal,
): Promise<number> {
	const code = validateAll(options, settings, terminal);
	if (options.watch) await watching(options, settings, terminal);
	return code;
}

function validateAll({ paths, schema, json }: ValidateOptions, settings: Settings, terminal: Terminal): number {
	const assets = new Assets(settings);
	const files = expandPaths(paths);
	const single = files.length === 1 && files[0] === paths[0];
	const verdicts: FileVerdict[] = [];
	for (const [i, path] of files.entries()) {
		terminal.progress(`${i + 1}/${files.length} ${printable(path)}`);
		const verdict = validateFile(path, schema, assets);
		verdicts.push(verdict);
		terminal.progress("");
		if (terminal.readable && !json) for (const line of verdictLines(path, verdict, terminal.paint)) terminal.out(line);
		else terminal.out(JSON.stringify(single ? verdict : { path, ...verdict }));
	}
	if (terminal.readable && !json && !single) terminal.out(summaryLine(verdicts));
	return exitCodeOf(verdicts);
}

const SETTLE_MS = 100;

// Until interrupted: any change in the folders of the paths, or of the schemas, validates everything again.
function watching(options: ValidateOptions, settings: Settings, terminal: Terminal): Promise<void> {
	const folders = new Set(expandPaths(options.paths).map((path) => dirname(path)));
	if (settings.schemasDirectory !== undefined) folders.add(settings.schemasDirectory);
	let timer: NodeJS.Timeout | undefined;
	const again = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => validateAll(options, settings, terminal), SETTLE_MS);
	};
	const watchers = [...folders].map((folder) => watch(folder, again));
	return new Promise((resolve) => {
		const end = (): void => {
			clearTimeout(timer);
			for (const watcher of watchers) watcher.close();
			resolve();
		};
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
		terminal.err(`watching ${folders.size} ${folders.size === 1 ? "folder" : "folders"}; interrupt to end`);
	});
}
