import type { LocalTool } from "../run/backend.ts";
import type { GatewayParts } from "./gatewayParts.ts";

const NO_INPUT = { type: "object", additionalProperties: false } as const;
const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** Health and telemetry of the gateway and of the servers that the caller may see, as tools of the catalogue: the metatools stay as they are. */
export function operationalTools(gateway: Pick<GatewayParts, "health" | "telemetry">): readonly LocalTool[] {
	return [
		{
			definition: {
				name: "health",
				description: "Health of the gateway and of every server behind it: state, generation, restarts, last fault.",
				inputSchema: NO_INPUT,
				annotations: READ_ONLY,
			},
			run: (_, { viewer }) => gateway.health(viewer),
		},
		{
			definition: {
				name: "telemetry",
				description:
					"What the gateway and every server behind it have done: counts of calls and errors, latency per tool.",
				inputSchema: NO_INPUT,
				annotations: READ_ONLY,
			},
			run: (_, { viewer }) => gateway.telemetry(viewer),
		},
	];
}
