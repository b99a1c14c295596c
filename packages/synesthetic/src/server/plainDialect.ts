import { protocolError, RpcError } from "libmcp/serve";
import type { Assets } from "../assets.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { unsupported } from "../results.ts";
import { errorText, resultText } from "./answers.ts";
import { TOOLS } from "./tools.ts";

/** The answer to a plain request, with its id as it came. */
export function answerPlain(
	id: string,
	method: string,
	params: () => JsonObject,
	assets: Assets,
): string | Promise<string> {
	const failed = (error: unknown): string => {
		if (!(error instanceof RpcError)) process.stderr.write(`mcp:error method=${method} ${stackOf(error)}\n`);
		return errorText(id, error);
	};
	try {
		const tool = TOOLS.get(method);
		if (tool === undefined) return resultText(id, unsupported("tool not implemented"));
		const result = tool.run(params(), assets);
		return result instanceof Promise
			? result.then((late) => resultText(id, late)).catch(failed)
			: resultText(id, result);
	} catch (error) {
		return failed(error);
	}
}

export function readParams(text: string): JsonObject {
	const value: JsonValue = parseJson(text);
	if (isJsonObject(value)) return value;
	if (isJsonArray(value) && value.length === 0) return {};
	throw protocolError("INVALID_PARAMS", "params: expected an object, got an array");
}

function stackOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
