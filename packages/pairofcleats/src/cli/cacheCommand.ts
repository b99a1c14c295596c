import { toolCommand } from "./toolCommand.ts";

export const command = toolCommand("cache", {
	gc: { tool: "cache_gc" },
	clean: { tool: "clean_artifacts" },
	compact: { tool: "compact_sqlite_index" },
	report: { tool: "report_artifacts" },
});
