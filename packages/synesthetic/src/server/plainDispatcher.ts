import { protocolError, RpcError } from "libmcp/serve";
import type { Assets } from "../assets.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { unsupported } from "../results.ts";
import { errorText, resultText } from "./answers.ts";
import { log } from "./log.ts";
import { TOOLS } from "./tools.ts";

/** Runs the tool that a plain request names. Replies synchronously unless the tool returns a promise. */
export function dispatchPlain(
	id: string,
	method: string,
	params: () => JsonObject,
	assets: Assets,
	reply: (answer: string) => void,
): void {
	const failed = (error: unknown): void => {
		if (!(error instanceof RpcError)) log(`error method=${method} ${stackOf(error)}`);
		reply(errorText(id, error));
	};
	const tool = TOOLS.get(method);
	if (tool === undefined) {
		reply(resultText(id, unsupported("tool not implemented")));
		return;
	}
	let answer: string;
	try {
		const result = tool.run(params(), assets);
		if (result instanceof Promise) {
			void result.then((late) => resultText(id, late)).then(reply, failed);
			return;
		}
		answer = resultText(id, result);
	} catch (error) {
		failed(error);
		return;
	}
	reply(answer);
}

/** Turns a request's params into a tool's arguments. An empty array stands for no params. */
export function asParams(value: JsonValue): JsonObject {
	if (isJsonObject(value)) return value;
	if (isJsonArray(value) && value.length === 0) return {};
	throw protocolError("INVALID_PARAMS", "params: expected an object, got an array");
}

function stackOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
