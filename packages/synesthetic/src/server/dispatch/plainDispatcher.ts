import { protocolError, RpcError } from "libmcp/serve";
import type { Assets } from "../../assets.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue.ts";
import { refuseUnsupported } from "../../results.ts";
import { logLine, writeError, writeResult } from "../frontEnd/lines.ts";
import { TOOLS } from "../tools/tools.ts";

/** Runs the tool that a plain request names. Replies synchronously unless the tool returns a promise. */
export function dispatchPlain(
	id: string,
	method: string,
	params: () => JsonObject,
	assets: Assets,
	reply: (answer: string) => void,
): void {
	const failed = (error: unknown): void => {
		if (!(error instanceof RpcError)) logLine(`error method=${method} ${stackOf(error)}`);
		reply(writeError(id, error));
	};
	const tool = TOOLS.get(method);
	if (tool === undefined) {
		reply(writeResult(id, refuseUnsupported("tool not implemented")));
		return;
	}
	let answer: string;
	try {
		const result = tool.run(params(), assets);
		if (result instanceof Promise) {
			void result.then((late) => writeResult(id, late)).then(reply, failed);
			return;
		}
		answer = writeResult(id, result);
	} catch (error) {
		failed(error);
		return;
	}
	reply(answer);
}

/** Turns a request's params into a tool's arguments. An empty array stands for no params. */
export function readParams(value: JsonValue): JsonObject {
	if (isJsonObject(value)) return value;
	if (isJsonArray(value) && value.length === 0) return {};
	throw protocolError("INVALID_PARAMS", "params: expected an object, got an array");
}

function stackOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
