import { renderModeSchema } from "../../render/porcelain.ts";
import { type Call, callArguments } from "../worker/call.ts";
import { hostHealth, type ReportParts } from "./hostHealth.ts";

const INPUT = { type: "object", properties: { render: renderModeSchema() }, additionalProperties: false };

/** The host's own two tools; they work even when no worker is alive. */
export const OPS_TOOLS = [
	{
		name: "holdfast_health",
		description: "Health of this server: its state, generation, restarts, rollout and last fault.",
		inputSchema: INPUT,
		annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
	},
	{
		name: "holdfast_telemetry",
		description: "What this server has done: counts of calls, errors and retries, and latency per method.",
		inputSchema: INPUT,
		annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
	},
] as const;

export function isOpsTool(name: string): boolean {
	return OPS_TOOLS.some((tool) => tool.name === name);
}

/** Loads the reports on first use; the returned function reports the state at the moment it is called. */
export async function opsReporter(parts: ReportParts): Promise<(call: Call) => Record<string, unknown>> {
	const { healthReport, telemetryReport } = await import("./opsReport.ts");
	return (call) => {
		const given = callArguments(call);
		return call.tool === "holdfast_health"
			? healthReport(hostHealth(parts), given)
			: telemetryReport(parts.settings.name, parts.record.telemetry(), given);
	};
}
