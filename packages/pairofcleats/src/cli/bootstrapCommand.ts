import { type Action, toolCommand, toolFlags, toolHelp } from "./toolCommand.ts";

const ACTIONS: Readonly<Record<string, Action>> = { "": { tool: "bootstrap" } };

export const command = toolCommand("bootstrap", ACTIONS);
export const help = (): string[] => toolHelp("bootstrap", ACTIONS);
export const flags = toolFlags(ACTIONS);
