import { errorBody, protocolError, type RequestEnvelope } from "libmcp";
import type { Assets } from "../assets.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { type ToolResult, unsupported } from "../results.ts";
import { TOOLS } from "./tools.ts";

/** Whether a method belongs to the plain dialect, where the method is the tool: MCP's own names hold a slash. */
export function isPlainMethod(method: string): boolean {
	return !method.includes("/") && method !== "initialize" && method !== "ping";
}

/** The answer to a plain request, with its id as it came. */
export function answerPlain(request: RequestEnvelope, frame: Buffer, assets: Assets): string | Promise<string> {
	try {
		const tool = TOOLS.get(request.method);
		if (tool === undefined) return resultText(request, unsupported("tool not implemented"));
		const result = tool.run(paramsOf(request, frame), assets);
		if (!(result instanceof Promise)) return resultText(request, result);
		return result.then(
			(late) => resultText(request, late),
			(error: unknown) => failureText(request, error),
		);
	} catch (error) {
		return failureText(request, error);
	}
}

function paramsOf({ params }: RequestEnvelope, frame: Buffer): JsonObject {
	if (params === undefined) return {};
	const value: JsonValue = parseJson(frame.toString("utf8", params.start, params.end));
	if (isJsonObject(value)) return value;
	if (isJsonArray(value) && value.length === 0) return {};
	throw protocolError("INVALID_PARAMS", "params: expected an object, got an array");
}

export function resultText({ id }: { id: string }, result: ToolResult): string {
	return `{"jsonrpc":"2.0","id":${id},"result":${stringifyJson(result)}}`;
}

function failureText({ id, method }: RequestEnvelope, error: unknown): string {
	const body = errorBody(error);
	if (body.code === -32603)
		process.stderr.write(`mcp:error method=${method} ${error instanceof Error ? error.stack : String(error)}\n`);
	return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(body)}}`;
}
