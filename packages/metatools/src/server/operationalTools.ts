import { isObject, type JsonObject } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import type { LocalTool } from "../run/backend.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { listStatuses } from "./namespaces.ts";

const NO_INPUT = { type: "object", additionalProperties: false } as const;
const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** Health and telemetry of the gateway and of the servers that the caller may see, as tools of the catalogue: the metatools stay as they are. */
export function createOperationalTools(gateway: Pick<GatewayParts, "health" | "telemetry">): readonly LocalTool[] {
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

/** What each server reports, by its name. A viewer learns only of the servers and tools that it may see. */
export function reportUpstreams(
	gateway: Pick<GatewayParts, "admits" | "catalog" | "upstreams" | "verdict" | "waiting">,
	report: (upstream: Upstream) => JsonObject,
	viewer: Viewer | undefined,
): Readonly<Record<string, JsonObject>> {
	const { all } = gateway.upstreams;
	if (viewer === undefined) return Object.fromEntries(all.map((upstream) => [upstream.spec.name, report(upstream)]));
	const seen = new Set(listStatuses(gateway, viewer).map(({ namespace }) => namespace));
	return Object.fromEntries(
		all
			.filter(({ spec }) => seen.has(spec.namespace))
			.map((upstream) => {
				const tools = gateway.catalog.toolsOf(upstream.spec.namespace);
				const hidden = tools.filter((tool) => gateway.verdict(tool, viewer).kind === "hide");
				const names = new Set(hidden.flatMap(({ name, definition }) => [name, definition.name]));
				return [upstream.spec.name, withoutCallsOf(names, report(upstream))];
			}),
	);
}

function withoutCallsOf(names: ReadonlySet<string>, report: JsonObject): JsonObject {
	if (names.size === 0 || !Array.isArray(report.methods)) return report;
	const isOpen = (row: unknown): boolean => {
		const [, name] = /^tools\/call (.*)$/s.exec(isObject(row) ? String(row.method) : "") ?? [];
		return name === undefined || !names.has(name);
	};
	return { ...report, methods: report.methods.filter(isOpen) };
}
