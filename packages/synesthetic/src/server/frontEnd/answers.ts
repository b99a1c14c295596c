import { errorBody } from "libmcp/serve";
import { stringifyJson } from "../../json/stringifyJson.ts";
import type { ToolResult } from "../../results.ts";
import type { Line } from "./lines.ts";

/** The text that every answer begins with, up to its id. */
export const BEFORE_ID = '{"jsonrpc":"2.0","id":';

/** The answer line for a result. `id` is JSON text, spelt as the client sent it. */
export function writeResult(id: string, result: ToolResult): string {
	return writeResultLine(id, stringifyJson(result));
}

/** Like `resultText`, for a result that is JSON text already. A buffer is not copied. */
export function writeResultLine(id: string, result: string): string;
export function writeResultLine(id: string, result: string | Buffer): Line;
export function writeResultLine(id: string, result: string | Buffer): Line {
	const before = `${BEFORE_ID}${id},"result":`;
	return typeof result === "string" ? `${before}${result}}` : [before, result, "}"];
}

export function writeError(id: string, error: unknown): string {
	return `${BEFORE_ID}${id},"error":${JSON.stringify(errorBody(error))}}`;
}

/**
 * The members of a tools/call result. Built as text, because the result is text already and is sent twice: as a value
 * and as a string.
 */
export function writeToolMembers(result: string, isError: boolean): string {
	const content = `"content":[{"type":"text","text":${JSON.stringify(result)}}],"structuredContent":${result}`;
	return isError ? `${content},"isError":true` : content;
}
