import { errorBody } from "libmcp/serve";
import { stringifyJson } from "../json/stringifyJson.ts";
import type { ToolResult } from "../results.ts";
import type { Line } from "./lineBuffer.ts";

/** The text that every answer begins with, up to its id. */
export const BEFORE_ID = '{"jsonrpc":"2.0","id":';

/** The answer line for a result. `id` is JSON text, spelt as the client sent it. */
export function resultText(id: string, result: ToolResult): string {
	return resultLine(id, stringifyJson(result));
}

/** Like `resultText`, for a result that is JSON text already. A buffer is not copied. */
export function resultLine(id: string, result: string): string;
export function resultLine(id: string, result: string | Buffer): Line;
export function resultLine(id: string, result: string | Buffer): Line {
	const before = `${BEFORE_ID}${id},"result":`;
	return typeof result === "string" ? `${before}${result}}` : [before, result, "}"];
}

export function errorText(id: string, error: unknown): string {
	return `${BEFORE_ID}${id},"error":${JSON.stringify(errorBody(error))}}`;
}
