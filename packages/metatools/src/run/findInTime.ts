import type { CatalogTool } from "../catalog/tool.ts";
import { type Operation, ToolError, toolErrorFromAbort } from "../contract/errors.ts";
import type { Viewer } from "./access.ts";
import { patiently } from "./patience.ts";

/** Resolves an id to a tool. Rejects only with ToolError, or when the signal aborts. */
export type FindTool = (id: string, viewer: Viewer, signal: AbortSignal) => Promise<CatalogTool>;

type Sought = { readonly toolId: string; readonly viewer: Viewer; readonly signal: AbortSignal };

/** The tool, if its server is connected before the time is over. Rejects with ToolError only. */
export function findInTime(
	find: FindTool,
	{ toolId, viewer, signal }: Sought,
	timeoutMs: number,
): Promise<CatalogTool> {
	return patiently(timeoutMs, signal, async (either) => {
		try {
			return await find(toolId, viewer, either);
		} catch (thrown) {
			if (!either.aborted) throw thrown;
			if (signal.aborted) throw toolErrorFromAbort(signal, { tool_id: toolId, op: "resolve" });
			throw stillConnecting(toolId, `after ${timeoutMs} ms`, "resolve");
		}
	});
}

/** The failure of a call whose time is up before its server is connected. */
export function stillConnecting(toolId: string, when: string, op: Operation): ToolError {
	const said = `Nothing was called: ${when} the server of ${toolId} is still connecting; list_namespaces tells when it is ready.`;
	return new ToolError("timeout", said, { tool_id: toolId, op, retryable: true });
}
