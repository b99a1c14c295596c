import type { CommandModule } from "../command.ts";
import { type Action, listToolFlags, makeToolCommand, writeToolHelp } from "../toolCommand.ts";

/** The commands whose every action is a tool. */
export const TOOL_COMMANDS = {
	download: makeModule("download", {
		models: { tool: "download_models" },
		dictionaries: { tool: "download_dictionaries" },
		extensions: { tool: "download_extensions" },
	}),
	cache: makeModule("cache", {
		gc: { tool: "cache_gc" },
		clean: { tool: "clean_artifacts" },
		compact: { tool: "compact_sqlite_index" },
		report: { tool: "report_artifacts" },
	}),
	extensions: makeModule("extensions", { verify: { tool: "verify_extensions" } }),
	bootstrap: makeModule("bootstrap", { "": { tool: "bootstrap" } }),
} as const;

/** A command of one nameless action takes no action's name. */
function makeModule(name: string, actions: Readonly<Record<string, Action>>): CommandModule {
	const names = Object.keys(actions).filter((action) => action !== "");
	return {
		command: makeToolCommand(name, actions),
		help: () => writeToolHelp(name, actions),
		...(names.length > 0 && { actions: names }),
		flags: listToolFlags(actions),
	};
}
