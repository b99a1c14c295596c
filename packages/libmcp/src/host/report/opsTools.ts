import { createRenderModeSchema } from "../../render/porcelain.ts";
import { type Call, readArguments } from "../worker/call.ts";
import { type ReportParts, readHostHealth } from "./hostHealth.ts";

const INPUT = { type: "object", properties: { render: createRenderModeSchema() }, additionalProperties: false };

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
export async function loadOpsReporter(parts: ReportParts): Promise<(call: Call) => Record<string, unknown>> {
	const { reportHealth, reportTelemetry } = await import("./opsReport.ts");
	return (call) => {
		const given = readArguments(call);
		return call.tool === "holdfast_health"
			? reportHealth(readHostHealth(parts), given)
			: reportTelemetry(parts.settings.name, parts.record.telemetry(), given);
	};
}
