import type { Catalog } from "../catalog/catalog.ts";
import type { ToolDefinition } from "../catalog/tool.ts";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { BackendCall, BackendResult, BackendRunner } from "./backend.ts";

/** A tool that runs in this process. */
export type LocalTool = {
	readonly definition: ToolDefinition;
	run(args: JsonObject, call: Pick<BackendCall, "viewer" | "signal" | "onProgress">): unknown | Promise<unknown>;
};

export const PING: LocalTool = {
	definition: {
		name: "ping",
		description: "Answers pong; shows that the gateway runs tools.",
		inputSchema: { type: "object", additionalProperties: false },
		outputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
		annotations: { readOnlyHint: true },
	},
	run: () => ({ message: "pong" }),
};

/** Runs the given tools under the namespace `local` and lists them in the catalogue. */
export function localBackend(catalog: Catalog, tools: readonly LocalTool[]): BackendRunner {
	const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
	catalog.set({
		namespace: LOCAL_NAMESPACE,
		description: "Tools of the gateway itself",
		definitions: tools.map((tool) => tool.definition),
		backendOf: (definition) => ({ kind: "local", local: { name: definition.name } }),
	});
	return {
		async run({ tool, args, viewer, signal, onProgress }): Promise<BackendResult> {
			const local = byName.get(tool.definition.name);
			if (local === undefined) throw new ToolError("no_backends", `No local tool is called ${tool.name}.`);
			return { structured: await local.run(args, { viewer, signal, ...(onProgress !== undefined && { onProgress }) }) };
		},
	};
}
