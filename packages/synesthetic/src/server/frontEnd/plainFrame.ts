import { isUtf8 } from "node:buffer";
import { type InvalidEnvelope, parseRequestId, type RequestId } from "libmcp/serve";
import { isJsonArray, isJsonNumber, isJsonObject, type JsonValue, readMember } from "../../json/jsonValue.ts";
import { parseSpelt } from "../../json/parseJson.ts";
import { stringifyJson } from "../../json/stringifyJson.ts";

/**
 * The head of a plain request, which is everything before its params. Only requests with their members in the usual
 * order are read this way.
 */
export type PlainFrame = {
	readonly id: RequestId;
	readonly idStart: number;
	readonly method: string;
	readonly paramsStart: number;
	/** The original id, if it is too long and `id` is a stand-in for it. */
	readonly ownId?: string;
};

/** A plain request and the frame it was read from. */
export type FramedPlain = { readonly plain: PlainFrame; readonly frame: Buffer };

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
// Printable ASCII without quote and backslash, which needs no decoding.
const TEXT = String.raw`"[ !#-[\]-~]{0,64}"`;
const HEAD = new RegExp(
	String.raw`^(\{"jsonrpc": ?"2\.0", ?"id": ?)(${NUMBER}|${TEXT}), ?"method": ?"([a-z_]+)", ?"params": ?(?=\{)`,
);
const HEAD_BYTES = 256;
const CLOSE_BRACE = 0x7d;

/**
 * Reads the head of a frame without its params, which saves a pass over the bytes. Everything between `paramsStart`
 * and the last brace must then prove to be one JSON object; if not, the frame is read in full.
 */
export function readPlainFrame(frame: Buffer): PlainFrame | undefined {
	if (frame.at(-1) !== CLOSE_BRACE) return undefined;
	const match = HEAD.exec(frame.toString("latin1", 0, HEAD_BYTES));
	const [head = "", beforeId = "", id, method = ""] = match ?? [];
	if (id === undefined || !isPlainMethod(method) || !isUtf8(frame)) return undefined;
	return { id: id as RequestId, idStart: beforeId.length, method, paramsStart: head.length };
}

/** Writes a plain request as a frame, and returns it with its head as `plainFrame` would read it. */
export function writePlainFrame(id: RequestId, method: string, params: string): FramedPlain {
	const beforeId = '{"jsonrpc":"2.0","id":';
	const head = Buffer.from(`${beforeId}${id},"method":${JSON.stringify(method)},"params":`);
	const plain = { id, idStart: beforeId.length, method, paramsStart: head.length };
	return { plain, frame: Buffer.concat([head, Buffer.from(`${params}}`)]) };
}

/** Whether a method is that of a plain request, which names the tool. MCP's own methods contain a slash. */
export function isPlainMethod(method: string): boolean {
	return !method.includes("/") && method !== "initialize" && method !== "ping";
}

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
		const method = readMember(message, "method");
		if (readMember(message, "jsonrpc") !== "2.0" || typeof method !== "string" || !isPlainMethod(method))
			return undefined;
		// The scanner's id keeps the client's spelling. If the id is repeated, the scanner may not have seen the last one.
		const id = (refused.reason === "duplicate_member" ? undefined : refused.id) ?? findMessageId(message);
		const ownId = id === undefined ? longId(message) : undefined;
		const params = readMember(message, "params") ?? {};
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
	const id = readMember(message, "id");
	return typeof id === "string" || isJsonNumber(id) ? stringifyJson(id) : undefined;
}

/** The id of a message in its original spelling; undefined if the id is missing or invalid. */
export function findMessageId(message: JsonValue): RequestId | undefined {
	return parseRequestId(stringifyJson(readMember(message, "id") ?? null));
}
