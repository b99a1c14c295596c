import { isDeepStrictEqual } from "node:util";
import { countText } from "libmcp";
import { burst, watchPath } from "libmcp/command";
import type { Config } from "./load.ts";
import { CODE_SETTINGS, SETTINGS, type Settings, TRANSPORT_SETTINGS } from "./settings.ts";

export type FollowOptions = {
	readonly load: () => Config;
	readonly apply: (config: Config) => Promise<void>;
	/** Told why a changed configuration is not used; `apply` follows once it is usable again. */
	readonly refused?: (why: string) => void;
	readonly log: (line: string) => void;
};

/**
 * Applies a configuration when a change of one of its files has changed it; clients write much else into theirs. An
 * invalid or missing one changes nothing.
 */
export function followConfig(first: Config, { load, apply, refused, log }: FollowOptions): () => void {
	let { file, files } = first;
	/** Undefined after a failure: whatever is usable then is applied. */
	let used: Config | undefined = first;
	const reload = () => {
		try {
			const config = load();
			// A tool that replaces the file may take it away first, and that must not stop every server.
			if (file !== undefined && config.file === undefined) throw new Error(`${file} is gone`);
			if (isDeepStrictEqual(config, used)) return;
			used = config;
			file = config.file;
			for (const warning of config.warnings) log(warning);
			if (!isDeepStrictEqual(config.files, files)) {
				stop();
				files = config.files;
				stop = watchFiles(files, reload);
			}
			apply(config).then(
				() =>
					log(
						`configuration reloaded, ${countText(config.servers.length, "server")}${notYet(listWaitingSettings(first, config))}`,
					),
				(thrown: unknown) => {
					used = undefined;
					log(`reload failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
				},
			);
		} catch (thrown) {
			used = undefined;
			const why = `the changed configuration is not used: ${thrown instanceof Error ? thrown.message : "unreadable"}`;
			refused?.(why);
			log(why);
		}
	};
	let stop = watchFiles(files, reload);
	// Changes made between the first reading and the start of the watch would otherwise be missed.
	reload();
	return () => stop();
}

function notYet(keys: readonly string[]): string {
	return keys.length === 0 ? "" : `; from the next start on: ${keys.join(", ")}`;
}

const { notifyDebounceMs, connectTimeout } = SETTINGS;
const FIXED = { ...TRANSPORT_SETTINGS, ...CODE_SETTINGS, notifyDebounceMs, connectTimeout };

/** Names of changed settings that take effect only at the next start, as the file calls them. */
function listWaitingSettings(running: Config, changed: Config): string[] {
	const values = (settings: Settings) => new Map<string, unknown>(Object.entries(settings));
	const [before, after] = [values(running.settings), values(changed.settings)];
	const settings = Object.entries(FIXED).filter(([name]) => before.get(name) !== after.get(name));
	const quarantine = isDeepStrictEqual(running.sections.quarantine, changed.sections.quarantine) ? [] : ["quarantine"];
	return [...settings.map(([, { key }]) => key), ...quarantine];
}

/** A client may keep its running state in a file that is followed, and write it all the time. */
const SETTLING = { quietMs: 200, mostMs: 2_000 } as const;

/** Calls back once after each burst of changes of any of the files. */
function watchFiles(files: readonly string[], onChange: () => void): () => void {
	const { touch, stop } = burst(onChange, SETTLING);
	// If a folder cannot be watched, only the automatic reload is lost.
	const stops = files.map((file) => watchPath(file, { touched: touch, failed: () => {} }));
	return () => {
		stop();
		for (const stop of stops) stop();
	};
}
