import type { ToolResult } from "../contract/envelope.ts";
import type { HandlerModule, ToolArguments, ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { ToolName } from "./registry.ts";

const loaded = new Map<ToolName, ToolHandler>();

/** Runs a tool's handler. Caches the loaded module, because importing it again costs more than most calls. */
export async function handle(name: ToolName, args: ToolArguments, call: ToolCall): Promise<ToolResult> {
	const known = loaded.get(name);
	if (known !== undefined) return known(args, call);
	const { handler } = await HANDLERS[name]();
	loaded.set(name, handler);
	return handler(args, call);
}

/** Loads each tool's module on its first call. A module exports `handler`. */
export const HANDLERS: Readonly<Record<ToolName, () => Promise<HandlerModule>>> = {
	index_status: () => import("./indexStatus.ts"),
	config_status: () => import("./configStatus.ts"),
	build_index: () => import("./buildIndex.ts"),
	search: () => import("./search.ts"),
	download_models: () => import("../assets/downloadModels.ts"),
	download_dictionaries: () => import("../assets/downloadDictionaries.ts"),
	download_extensions: () => import("../assets/downloadExtensions.ts"),
	verify_extensions: () => import("../assets/verifyExtensions.ts"),
	build_sqlite_index: () => import("./buildSqliteIndex.ts"),
	compact_sqlite_index: () => import("../maintenance/compactIndex.ts"),
	cache_gc: () => import("../maintenance/cacheGc.ts"),
	clean_artifacts: () => import("../maintenance/cleanArtifacts.ts"),
	bootstrap: () => import("../maintenance/bootstrap.ts"),
	report_artifacts: () => import("./reportArtifacts.ts"),
	triage_ingest: () => import("../triage/ingest.ts"),
	triage_decision: () => import("../triage/decide.ts"),
	triage_context_pack: () => import("../triage/contextPack.ts"),
	show_file: () => import("./showFile.ts"),
	workspace_status: () => import("./workspaceStatus.ts"),
	index_build: () => import("./buildIndex.ts"),
	check_status: () => import("./configStatus.ts"),
};
