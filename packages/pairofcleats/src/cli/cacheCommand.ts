import { type Action, toolCommand, toolFlags, toolHelp } from "./toolCommand.ts";

const ACTIONS: Readonly<Record<string, Action>> = {
	gc: { tool: "cache_gc" },
	clean: { tool: "clean_artifacts" },
	compact: { tool: "compact_sqlite_index" },
	report: { tool: "report_artifacts" },
};

export const command = toolCommand("cache", ACTIONS);
export const help = (): string[] => toolHelp("cache", ACTIONS);
export const actions = Object.keys(ACTIONS);
export const flags = toolFlags(ACTIONS);
