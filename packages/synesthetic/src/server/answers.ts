import { errorBody } from "libmcp/serve";
import { stringifyJson } from "../json/stringifyJson.ts";
import type { ToolResult } from "../results.ts";
import type { Line } from "./lineBuffer.ts";

/** How every answer begins. */
export const BEFORE_ID = '{"jsonrpc":"2.0","id":';

/** An answer line; the id goes in as the text it came as. */
export function resultText(id: string, result: ToolResult): string {
	return resultLine(id, stringifyJson(result));
}

/** The same for a result that is JSON already; one in bytes is not copied. */
export function resultLine(id: string, result: string): string;
export function resultLine(id: string, result: string | Buffer): Line;
export function resultLine(id: string, result: string | Buffer): Line {
	const before = `${BEFORE_ID}${id},"result":`;
	return typeof result === "string" ? `${before}${result}}` : [before, result, "}"];
}

export function errorText(id: string, error: unknown): string {
	return `${BEFORE_ID}${id},"error":${JSON.stringify(errorBody(error))}}`;
}
