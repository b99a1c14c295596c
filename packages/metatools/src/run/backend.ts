import { contractOf, effectOfTool, type ReplayContract } from "libmcp";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogTool, ToolDefinition } from "../catalog/tool.ts";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Viewer } from "./access.ts";

export type ToolProgress = { readonly progress: number; readonly total?: number; readonly message?: string };

/** A call whose arguments fit the schema of its tool. */
export type BackendCall = {
	readonly tool: CatalogTool;
	readonly args: JsonObject;
	/** Whose call it is. */
	readonly viewer: Viewer;
	/** Aborted on cancellation and at the deadline. */
	readonly signal: AbortSignal;
	/** Milliseconds since the epoch, without the time that people take to answer questions. */
	readonly deadline: number;
	/** How long the server may be silent before the call is given up. */
	readonly silenceMs?: number;
	/** Present if the caller wants progress; a backend without progress need not call it. */
	readonly onProgress?: (update: ToolProgress) => void;
	/** Tells that its server did not answer well but is tried again, so that it does not count as silent. */
	readonly onRepeat?: () => void;
	/** Tells when the call begins and ends to wait for its server to be connected, without having been sent before. */
	readonly onWaiting?: (isWaiting: boolean) => void;
	/**
	 * Called before the call may take effect, with what may be done with it if the gateway is lost; to be waited for. Absent
	 * where nothing is kept of calls.
	 */
	readonly dispatching?: (contract: ReplayContract) => Promise<void> | undefined;
	/** Present when the caller's client can put a server's question to a person; an abort withdraws the question. */
	readonly ask?: (params: JsonObject, signal?: AbortSignal) => Promise<unknown>;
	/** The same for calls whose questions reach the same person by either `ask`; absent when unknown. */
	readonly caller?: object;
};

/** A tool's result: its value, and the server's answer. */
export type BackendResult = {
	readonly structured: unknown;
	/** The server's own answer, if the tool has a server. */
	readonly mcpResult?: JsonObject;
};

/** Runs tools of one kind of backend. Failures are ToolErrors; anything else thrown counts as a defect. */
export type BackendRunner = { run(call: BackendCall): Promise<BackendResult> };

/** Whether a call that may have taken effect can be made again without harm, as its tool declares. */
export function isRepeatable({ definition }: CatalogTool, args: JsonObject): boolean {
	return contractOf(effectOfTool(definition).recovery, () => args) === "convergent";
}

/** The end of a message about a call that is not repeatable. */
export const IN_DOUBT = "; it may or may not have taken effect, so check before repeating it";

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
export function createLocalBackend(catalog: Catalog, tools: readonly LocalTool[]): BackendRunner {
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
