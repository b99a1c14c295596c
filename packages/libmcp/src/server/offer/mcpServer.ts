import type { Dispatcher } from "../protocol/dispatcher.ts";
import type { ServerDescription, ServerInfo } from "../protocol/serverDescription.ts";
import { loggingDispatcher } from "./callContext.ts";
import { completionDispatcher, promptReference, resourceReference } from "./completion.ts";
import { noSuchMethod, promptDispatcher, resourceDispatcher, toolDispatcher } from "./dispatchers.ts";
import { checkMade } from "./part.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Tool } from "./tool.ts";

/** What `mcpServer` builds a server from. */
export type ServerDefinition = {
	readonly info: ServerInfo;
	readonly instructions?: string;
	readonly tools?: readonly Tool[];
	readonly prompts?: readonly Prompt[];
	readonly resources?: readonly Resource[];
	/** Handles every other method. */
	readonly otherwise?: Dispatcher;
	/** Capabilities that `otherwise` provides, in addition to those implied by the other members. */
	readonly capabilities?: ServerCapabilities;
};

export type ServerCapabilities = {
	readonly tools?: { readonly listChanged?: boolean };
	readonly prompts?: { readonly listChanged?: boolean };
	readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
	readonly completions?: Readonly<Record<string, never>>;
	readonly tasks?: Readonly<Record<string, unknown>>;
	readonly extensions?: Readonly<Record<string, unknown>>;
	readonly experimental?: Readonly<Record<string, unknown>>;
};

/** A server, ready for a transport: `serveStdio(server)` or `new McpEndpoint(server)`. */
export type McpServer = {
	readonly dispatcher: Dispatcher;
	readonly description: ServerDescription;
	readonly toolSchema: (tool: string) => Promise<unknown>;
};

/** Throws a TypeError when two parts share a name or URI, or a part was not made by `tool`, `prompt` or `resource`. */
export function mcpServer(definition: ServerDefinition): McpServer {
	const { info, instructions, tools, prompts, resources, capabilities = {}, otherwise = noSuchMethod } = definition;
	checkMade("tool", tools ?? []);
	checkMade("prompt", prompts ?? []);
	checkMade("resource", resources ?? []);
	const completables = [
		...(prompts ?? []).map(({ listed, complete }) => ({ reference: promptReference(listed.name), complete })),
		...(resources ?? []).map(({ uri, complete }) => ({ reference: resourceReference(uri), complete })),
	].filter(({ complete }) => Object.keys(complete).length > 0);
	let dispatcher = loggingDispatcher(otherwise);
	if (completables.length > 0) dispatcher = completionDispatcher(completables, dispatcher);
	if (resources !== undefined) dispatcher = resourceDispatcher(resources, dispatcher);
	if (prompts !== undefined) dispatcher = promptDispatcher(prompts, dispatcher);
	if (tools !== undefined) dispatcher = toolDispatcher(tools, dispatcher);
	const inputs = new Map(tools?.map(({ listed }) => [listed.name, listed.inputSchema]));
	return {
		dispatcher,
		description: {
			info,
			...(instructions !== undefined && { instructions }),
			capabilities: {
				...(tools !== undefined && { tools: {} }),
				...(prompts !== undefined && { prompts: {} }),
				...(resources !== undefined && { resources: {} }),
				...(completables.length > 0 && { completions: {} }),
				logging: {},
				...capabilities,
			},
		},
		toolSchema: async (tool) => inputs.get(tool),
	};
}
