import { type Action, toolCommand, toolFlags, toolHelp } from "./toolCommand.ts";

const ACTIONS: Readonly<Record<string, Action>> = { verify: { tool: "verify_extensions" } };

export const command = toolCommand("extensions", ACTIONS);
export const help = (): string[] => toolHelp("extensions", ACTIONS);
export const actions = Object.keys(ACTIONS);
export const flags = toolFlags(ACTIONS);
