import { type Action, toolCommand, toolFlags, toolHelp } from "./toolCommand.ts";

const ACTIONS: Readonly<Record<string, Action>> = {
	models: { tool: "download_models" },
	dictionaries: { tool: "download_dictionaries" },
	extensions: { tool: "download_extensions" },
};

export const command = toolCommand("download", ACTIONS);
export const help = (): string[] => toolHelp("download", ACTIONS);
export const actions = Object.keys(ACTIONS);
export const flags = toolFlags(ACTIONS);
