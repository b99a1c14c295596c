import { CleatsError } from "../contract/errors.ts";
import type { ToolName } from "./registry.ts";
import type { HandlerModule } from "./tool.ts";

/** Where each tool's work is loaded from, when it is first called. A module exports `handler`. */
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
	compact_sqlite_index: absent,
	cache_gc: absent,
	clean_artifacts: absent,
	bootstrap: absent,
	report_artifacts: () => import("./reportArtifacts.ts"),
	triage_ingest: absent,
	triage_decision: absent,
	triage_context_pack: absent,
	show_file: () => import("./showFile.ts"),
	workspace_status: () => import("./workspaceStatus.ts"),
	index_build: () => import("./buildIndex.ts"),
	check_status: () => import("./configStatus.ts"),
};

async function absent(): Promise<HandlerModule> {
	return {
		handler: async () => {
			throw new CleatsError("CAPABILITY_MISSING", "this installation cannot do this yet");
		},
	};
}
