import { type InvalidEnvelope, parseRequestId, type RequestId } from "libmcp/serve";
import { isJsonArray, isJsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import type { Arrival } from "./arrival.ts";
import { isPlainMethod } from "./dialect.ts";
import { writePlainFrame } from "./plainFrame.ts";

const LENIENT: ReadonlySet<string> = new Set(["too_deep", "duplicate_member", "bad_params"]);

/**
 * A plain request that the envelope's reader refuses though every JSON parser takes it: it nests deeper than that reader
 * goes, repeats a member (the last one counts), or says null for no params. It is written anew, without the cause.
 */
export function readLeniently(frame: Buffer, refused: InvalidEnvelope): Arrival | undefined {
	if (!LENIENT.has(refused.reason)) return undefined;
	try {
		const message = parseSpelt(frame.toString());
		const method = member(message, "method");
		if (member(message, "jsonrpc") !== "2.0" || typeof method !== "string" || !isPlainMethod(method)) return undefined;
		// What the envelope's reader has seen of it is spelt as it came; the last one may be another.
		const id = (refused.reason === "duplicate_member" ? undefined : refused.id) ?? lastId(message);
		const params = member(message, "params") ?? {};
		const isObject = isJsonObject(params) || (isJsonArray(params) && params.length === 0);
		if (id === undefined || !isObject) return undefined;
		return { kind: "plain", ...writePlainFrame(id, method, stringifyJson(isJsonObject(params) ? params : {})) };
	} catch {
		return undefined;
	}
}

function lastId(message: JsonValue): RequestId | undefined {
	return parseRequestId(stringifyJson(member(message, "id") ?? null));
}
