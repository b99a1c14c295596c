import type { ToolArgumentsOf, ToolName, ToolResultOf } from "../registry/registry.ts";
import type { ToolCall } from "../workspace/toolCall.ts";

/** By arguments and result, not by name: an older name shares its handler with the newer one. */
type Handler<Args, Result> = (args: Args, call: ToolCall) => Promise<Result>;
type HandlerOf<Name extends ToolName> = Handler<ToolArgumentsOf<Name>, ToolResultOf<Name>>;

const loaded: { [Name in ToolName]?: HandlerOf<Name> } = {};

/** Runs a tool's handler. Caches the loaded module, because importing it again costs more than most calls. */
export async function runHandler<Name extends ToolName>(
	name: Name,
	args: ToolArgumentsOf<Name>,
	call: ToolCall,
): Promise<ToolResultOf<Name>> {
	const known = loaded[name];
	if (known !== undefined) return known(args, call);
	const handler = await HANDLERS[name]();
	Object.assign(loaded, { [name]: handler });
	return handler(args, call);
}

/** Loads each tool's module on its first call. */
export const HANDLERS: { readonly [Name in ToolName]: () => Promise<HandlerOf<Name>> } = {
	index_status: async () => (await import("./statusTools.ts")).reportIndexStatus,
	config_status: async () => (await import("./statusTools.ts")).reportConfiguration,
	build_index: async () => (await import("./buildTools.ts")).buildIndex,
	search: async () => (await import("./searchTools.ts")).search,
	download_models: async () => (await import("../assets/downloadModels.ts")).handler,
	download_dictionaries: async () => (await import("../assets/downloadDictionaries.ts")).handler,
	download_extensions: async () => (await import("../assets/downloadExtensions.ts")).handler,
	verify_extensions: async () => (await import("../assets/verifyExtensions.ts")).handler,
	build_sqlite_index: async () => (await import("./buildTools.ts")).buildSqliteIndex,
	compact_sqlite_index: async () => (await import("../maintenance/compactIndex.ts")).compactIndex,
	cache_gc: async () => (await import("../maintenance/cacheTools.ts")).collectCache,
	clean_artifacts: async () => (await import("../maintenance/cacheTools.ts")).cleanArtifacts,
	bootstrap: async () => (await import("../maintenance/bootstrap.ts")).bootstrap,
	report_artifacts: async () => (await import("./buildTools.ts")).reportArtifacts,
	triage_ingest: async () => (await import("../triage/ingest.ts")).handler,
	triage_decision: async () => (await import("../triage/decide.ts")).handler,
	triage_context_pack: async () => (await import("../triage/contextPack.ts")).handler,
	show_file: async () => (await import("./searchTools.ts")).showFile,
	workspace_status: async () => (await import("./statusTools.ts")).reportWorkspaceStatus,
	index_build: async () => (await import("./buildTools.ts")).buildIndex,
	check_status: async () => (await import("./statusTools.ts")).reportConfiguration,
};
