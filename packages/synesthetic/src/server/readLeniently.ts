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
 * member (the last one counts), has a very long id or an empty method, has `params: null`, or a member that only
 * responses have. The request is rewritten so that the scanner would accept it.
 */
export function readLeniently(frame: Buffer, refused: InvalidEnvelope): FramedPlain | undefined {
	if (!LENIENT.has(refused.reason)) return undefined;
	try {
		const message = parseSpelt(frame.toString());
		const method = member(message, "method");
		if (member(message, "jsonrpc") !== "2.0" || typeof method !== "string" || !isPlainMethod(method)) return undefined;
		// The scanner's id keeps the client's spelling. If the id is repeated, the scanner may not have seen the last one.
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

// Requests that share this id run one after the other.
const STAND_IN = parseRequestId('"synesthetic.long-id"');

function longId(message: JsonValue): string | undefined {
	const id = member(message, "id");
	return typeof id === "string" || isJsonNumber(id) ? stringifyJson(id) : undefined;
}

/** The id of a message in its original spelling; undefined if the id is missing or invalid. */
export function idIn(message: JsonValue): RequestId | undefined {
	return parseRequestId(stringifyJson(member(message, "id") ?? null));
}
