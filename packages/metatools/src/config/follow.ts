import { isDeepStrictEqual } from "node:util";
import { countText } from "libmcp";
import type { Config } from "./load.ts";
import { waitingForStart } from "./waitingForStart.ts";
import { watchFiles } from "./watch.ts";

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
						`configuration reloaded, ${countText(config.servers.length, "server")}${notYet(waitingForStart(first, config))}`,
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
