import { type InvalidEnvelope, parseRequestId, type RequestId } from "libmcp/serve";
import { isJsonArray, isJsonObject, member } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
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
		const text = frame.toString();
		const message = parseJson(text);
		const method = member(message, "method");
		if (member(message, "jsonrpc") !== "2.0" || typeof method !== "string" || !isPlainMethod(method)) return undefined;
		const id = refused.reason === "duplicate_member" ? lastId(text) : (refused.id ?? lastId(text));
		const params = member(message, "params") ?? {};
		const isObject = isJsonObject(params) || (isJsonArray(params) && params.length === 0);
		if (id === undefined || !isObject) return undefined;
		return { kind: "plain", ...writePlainFrame(id, method, stringifyJson(isJsonObject(params) ? params : {})) };
	} catch {
		return undefined;
	}
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
// The reviver's third argument, a value's own text, is newer than the library types.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** The text of the message's own id, as it is spelt. */
function lastId(text: string): RequestId | undefined {
	const spelt = new Map<unknown, string>();
	const message = parse(text, function (key, value, { source }) {
		if (key === "id" && source !== undefined) spelt.set(this, source);
		return value;
	});
	return parseRequestId(spelt.get(message) ?? "");
}
