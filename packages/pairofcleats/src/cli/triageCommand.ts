import { toolCommand } from "./toolCommand.ts";

export const command = toolCommand("triage", {
	ingest: { tool: "triage_ingest", positional: ["source", "inputPath"] },
	decide: { tool: "triage_decision", positional: ["finding", "status"] },
	context: { tool: "triage_context_pack", positional: ["recordId"] },
});
