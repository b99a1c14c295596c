import { toolCommand } from "./toolCommand.ts";

export const command = toolCommand("extensions", { verify: { tool: "verify_extensions" } });
