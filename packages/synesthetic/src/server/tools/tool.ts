import type { Assets } from "../../assets.ts";
import type { JsonObject } from "../../json/jsonValue.ts";
import type { ToolResult } from "../../results.ts";

/** A tool, as both dialects offer it. */
export type Tool = {
	readonly title: string;
	readonly description: string;
	readonly input: JsonObject;
	readonly output: JsonObject;
	/** Whether a negative verdict is this tool's normal answer and not an MCP tool error. */
	readonly judges: boolean;
	/** Set if the tool passes values through, so that numbers must keep their spelling. */
	readonly spelt?: true;
	/** Set if the plain dialect takes an absent argument as `{}`, and MCP refuses it as its schema says. */
	readonly absentIsEmpty?: true;
	run(args: JsonObject, assets: Assets): ToolResult | Promise<ToolResult>;
	/**
	 * Reads the arguments from their UTF-8 text, without parsing all of it. Returns the result as JSON (a buffer is valid
	 * until the next call), or arguments parsed only as far as `run` needs, or undefined if they must be parsed in full.
	 */
	readText?(bytes: Buffer, from: number, to: number, assets: Assets): string | Buffer | JsonObject | undefined;
};

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
