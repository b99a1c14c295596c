import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";

const RENDER = {
	type: "object",
	properties: {
		render: {
			type: "string",
			enum: ["porcelain", "json"],
			description: "porcelain (default) for short lines of text, json for the whole payload",
		},
	},
	additionalProperties: false,
} as const;

/** The host's own two tools, answered with no worker alive. */
export const OPS_TOOLS = [
	{
		name: "holdfast_health",
		description: "Health of this server: its state, generation, restarts, rollout and last fault.",
		inputSchema: RENDER,
		annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
	},
	{
		name: "holdfast_telemetry",
		description: "What this server has done: counts of calls, errors and retries, and latency per method.",
		inputSchema: RENDER,
		annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
	},
] as const;

export function isOpsTool(name: string): boolean {
	return OPS_TOOLS.some((tool) => tool.name === name);
}

export function answerOpsTool(parts: Parts, call: Call): unknown {
	const payload = call.tool === "holdfast_health" ? parts.record.health(parts) : parts.record.telemetry();
	return { content: [{ type: "text", text: JSON.stringify(payload) }], structuredContent: payload };
}
