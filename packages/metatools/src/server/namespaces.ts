import { quoteName } from "../catalog/naming.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { parseToolId } from "../catalog/toolId.ts";
import { ToolError } from "../contract/errors.ts";
import type { Viewer } from "../run/access.ts";
import { resolveTool } from "../run/resolveTool.ts";
import { describeRemedy } from "../upstream/state.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import type { Metatool } from "./metatool.ts";

export type NamespaceStatus = {
	readonly namespace: string;
	readonly state: "ready" | "connecting" | "failed" | "needs_auth" | "stopped";
	readonly tools: number;
	readonly since?: string;
	readonly reason?: string;
	readonly problems?: readonly string[];
};

const MAX_PROBLEMS = 20;

/** The status of every server. A caller confined to some tools sees only their namespaces. */
export function listStatuses(
	gateway: Pick<GatewayParts, "admits" | "catalog" | "upstreams" | "verdict" | "waiting">,
	viewer: Viewer,
): readonly NamespaceStatus[] {
	const visible = Map.groupBy(
		gateway.catalog.tools.filter((tool) => gateway.verdict(tool, viewer).kind !== "hide"),
		({ namespace }) => namespace,
	);
	const remote = gateway.upstreams.all.map(({ spec, state, problems, heldBack, login }): NamespaceStatus => {
		const reason = describeRemedy(state, login);
		const renamed =
			spec.name === spec.namespace
				? []
				: [
						`${quoteName(spec.name)} is called ${spec.namespace} here: names have at most 32 letters, digits, _ . -, and none twice`,
					];
		const tools = visible.get(spec.namespace) ?? [];
		const waiting = gateway.waiting.note(tools) ?? [];
		// What is wrong with tools names them, and a hidden one is as if it did not exist.
		const seesAll = tools.length === gateway.catalog.toolsOf(spec.namespace).length;
		const told = seesAll
			? [...problems, ...gateway.catalog.problemsOf(spec.namespace)]
			: [heldBack ?? [], tools.flatMap((tool) => tool.renamed ?? [])].flat();
		// First what a person must act on, lest it be cut off.
		const all = [waiting, renamed, told].flat().slice(0, MAX_PROBLEMS);
		return {
			namespace: spec.namespace,
			state: state.kind,
			tools: tools.length,
			since: state.since,
			...(reason !== undefined && { reason }),
			...(all.length > 0 && { problems: all }),
		};
	});
	const known = new Set(remote.map((status) => status.namespace));
	const own = [...visible]
		.filter(([namespace]) => !known.has(namespace))
		.map(([namespace, tools]): NamespaceStatus => ({ namespace, state: "ready", tools: tools.length }));
	return [...remote, ...own].filter(({ namespace, tools }) => tools > 0 || gateway.admits(namespace, viewer));
}

type Parts = Pick<GatewayParts, "admits" | "catalog" | "gates" | "upstreams"> & {
	readonly metatools: readonly Metatool[];
};

/** The tool that an id stands for, once its server has had time to connect; throws why there is none. */
export async function findTool(gateway: Parts, id: string, viewer: Viewer, signal: AbortSignal): Promise<CatalogTool> {
	const isUnknown = gateway.catalog.resolve(id).length === 0;
	if (isUnknown && gateway.metatools.some(({ name }) => name === id)) {
		const message = `${id} is no tool of a server; call it by itself.`;
		throw new ToolError("tool_not_found", message, { tool_id: id, op: "resolve" });
	}
	const { namespace = "", name = "" } = parseToolId(id) ?? {};
	if (isUnknown && gateway.admits(namespace, viewer, id)) {
		await gateway.upstreams.arrival(namespace, signal);
		const leftOut = gateway.upstreams.leftOut(namespace, name);
		if (leftOut !== undefined)
			throw new ToolError("tool_not_found", `${id} cannot be used: ${leftOut}`, { tool_id: id, op: "resolve" });
	}
	return resolveTool(gateway.catalog, gateway.gates, id, viewer);
}
