import type { ToolName } from "../registry/registry.ts";
import type { ToolArgumentsOf, ToolResultOf } from "../registry/toolTypes.ts";
import type { ToolCall } from "../workspace/toolCall.ts";

/** By arguments and result, not by name: an older name shares its handler with the newer one. */
type Handler<Args, Result> = (args: Args, call: ToolCall) => Promise<Result>;
type HandlerOf<Name extends ToolName> = Handler<ToolArgumentsOf<Name>, ToolResultOf<Name>>;

const loaded: { [Name in ToolName]?: HandlerOf<Name> } = {};

/** Runs a tool's handler. Caches the loaded module, because importing it again costs more than most calls. */
export async function handle<Name extends ToolName>(
	name: Name,
	args: ToolArgumentsOf<Name>,
	call: ToolCall,
): Promise<ToolResultOf<Name>> {
	const known = loaded[name];
	if (known !== undefined) return known(args, call);
	const { handler } = await HANDLERS[name]();
	Object.assign(loaded, { [name]: handler });
	return handler(args, call);
}

/** Loads each tool's module on its first call. A module exports `handler`. */
export const HANDLERS: { readonly [Name in ToolName]: () => Promise<{ readonly handler: HandlerOf<Name> }> } = {
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
