import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "../contract/json.ts";

/** Equal for every round of one call, in whatever order its members are written; different for any other call. */
export function callDigest(method: string, params: JsonObject): string {
	const { _meta: _, inputResponses: __, requestState: ___, ...asked } = params;
	return createHash("sha256")
		.update(JSON.stringify([method, asked], inOneOrder))
		.digest("base64url");
}

function inOneOrder(_: string, value: unknown): unknown {
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
