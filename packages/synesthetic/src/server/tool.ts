import type { Assets } from "../assets.ts";
import type { JsonObject } from "../json/jsonValue.ts";
import type { ToolResult } from "../results.ts";

/** A tool, as both dialects offer it. */
export type Tool = {
	readonly title: string;
	readonly description: string;
	readonly input: JsonObject;
	readonly output: JsonObject;
	/** A negative verdict is this tool's normal answer, not an MCP tool error. */
	readonly judges: boolean;
	/** Passes values through, so numbers must keep their spelling. */
	readonly spelt?: true;
	run(args: JsonObject, assets: Assets): ToolResult | Promise<ToolResult>;
	/**
	 * What can be had of the UTF-8 text of the arguments: the result as JSON, its bytes good until the next call, or arguments
	 * parsed no further than `run` looks; undefined where they must be parsed whole.
	 */
	readText?(bytes: Buffer, from: number, to: number, assets: Assets): string | Buffer | JsonObject | undefined;
};
