import { quoteName } from "../catalog/naming.ts";
import type { Viewer } from "../run/access.ts";
import { remedied } from "../upstream/state.ts";
import type { GatewayParts } from "./gatewayParts.ts";

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
export function namespaceStatuses(
	gateway: Pick<GatewayParts, "admits" | "catalog" | "upstreams" | "verdict" | "waiting">,
	viewer: Viewer,
): readonly NamespaceStatus[] {
	const visible = Map.groupBy(
		gateway.catalog.tools.filter((tool) => gateway.verdict(tool, viewer).kind !== "hide"),
		({ namespace }) => namespace,
	);
	const remote = gateway.upstreams.all.map(({ spec, state, problems, heldBack, login }): NamespaceStatus => {
		const reason = remedied(state, login);
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
