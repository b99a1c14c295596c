import { toolCommand } from "./toolCommand.ts";

export const command = toolCommand("bootstrap", { "": { tool: "bootstrap" } });
