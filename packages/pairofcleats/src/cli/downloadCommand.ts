import { toolCommand } from "./toolCommand.ts";

export const command = toolCommand("download", {
	models: { tool: "download_models" },
	dictionaries: { tool: "download_dictionaries" },
	extensions: { tool: "download_extensions" },
});
