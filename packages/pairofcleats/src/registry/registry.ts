import { INDEX_TOOLS } from "./indexTools.ts";
import { MAINTENANCE_TOOLS } from "./maintenanceTools.ts";
import type { Tool } from "./tool.ts";

const DEFINED = { ...INDEX_TOOLS, ...MAINTENANCE_TOOLS } as const;

/** Every tool by name, in the order of the list. */
export const TOOLS = {
	...DEFINED,
	index_build: alias("build_index"),
	check_status: alias("config_status"),
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES: readonly ToolName[] = Object.keys(TOOLS).filter(isToolName);

export function isToolName(name: unknown): name is ToolName {
	return typeof name === "string" && Object.hasOwn(TOOLS, name);
}

export function toolOf(name: ToolName): Tool {
	return TOOLS[name];
}

/** A tool under an older name: it takes and answers with the same. */
function alias<Target extends keyof typeof DEFINED>(target: Target) {
	return { ...DEFINED[target], description: `Deprecated: use ${target}.`, aliasOf: target };
}
