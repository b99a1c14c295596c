/** Whether a tool's call may be sent again after a crash. This table is all that the host knows about the tools. */
export const RECOVERIES = {
	list_schemas: "replay_safe",
	get_schema: "replay_safe",
	list_examples: "replay_safe",
	get_example: "replay_safe",
	validate_asset: "replay_safe",
	diff_assets: "replay_safe",
	populate_backend: "at_most_once",
	apply_patch: "replay_safe",
	check_compatibility: "replay_safe",
	bundle_schema: "replay_safe",
	lint_schema: "replay_safe",
	suggest_fix: "replay_safe",
} as const;

export type ToolName = keyof typeof RECOVERIES;
