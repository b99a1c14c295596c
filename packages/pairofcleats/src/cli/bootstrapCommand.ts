import { type Action, toolCommand, toolHelp } from "./toolCommand.ts";

const ACTIONS: Readonly<Record<string, Action>> = { "": { tool: "bootstrap" } };

export const command = toolCommand("bootstrap", ACTIONS);
export const help = (): string[] => toolHelp("bootstrap", ACTIONS);
