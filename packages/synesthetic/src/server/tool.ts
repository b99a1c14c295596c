import type { Assets } from "../assets.ts";
import type { JsonObject } from "../json/jsonValue.ts";
import type { ToolResult } from "../results.ts";

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
