import { type InvalidEnvelope, parseRequestId, type RequestId } from "libmcp/serve";
import { isJsonArray, isJsonNumber, isJsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { isPlainMethod } from "./dialect.ts";
import { type FramedPlain, writePlainFrame } from "./plainFrame.ts";

const LENIENT: ReadonlySet<string> = new Set([
	"too_deep",
	"duplicate_member",
	"bad_id",
	"bad_method",
	"bad_params",
	"not_a_message",
]);

/**
 * Accepts a plain request that the envelope scanner refuses although it is valid JSON: it nests too deeply, repeats a
 * member (the last one counts), has a very long id or an empty method, has `params: null`, or a member that only responses
 * have. It is rewritten without the cause.
 */
export function readLeniently(frame: Buffer, refused: InvalidEnvelope): FramedPlain | undefined {
	if (!LENIENT.has(refused.reason)) return undefined;
	try {
		const message = parseSpelt(frame.toString());
		const method = member(message, "method");
		if (member(message, "jsonrpc") !== "2.0" || typeof method !== "string" || !isPlainMethod(method)) return undefined;
		// What the envelope's reader has seen of it is spelt as it came; the last one may be another.
		const id = (refused.reason === "duplicate_member" ? undefined : refused.id) ?? idIn(message);
		const ownId = id === undefined ? longId(message) : undefined;
		const params = member(message, "params") ?? {};
		const isObject = isJsonObject(params) || (isJsonArray(params) && params.length === 0);
		const usedId = id ?? (ownId === undefined ? undefined : STAND_IN);
		if (usedId === undefined || !isObject) return undefined;
		const { plain, frame: anew } = writePlainFrame(usedId, method, stringifyJson(isJsonObject(params) ? params : {}));
		return { plain: ownId === undefined ? plain : { ...plain, ownId }, frame: anew };
	} catch {
		return undefined;
	}
}

// Requests that share it go one after the other.
const STAND_IN = parseRequestId('"synesthetic.long-id"');

function longId(message: JsonValue): string | undefined {
	const id = member(message, "id");
	return typeof id === "string" || isJsonNumber(id) ? stringifyJson(id) : undefined;
}

/** The id of a message, as it is spelt; undefined where there is none that can be gone by. */
export function idIn(message: JsonValue): RequestId | undefined {
	return parseRequestId(stringifyJson(member(message, "id") ?? null));
}
