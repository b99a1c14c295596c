import { type ClientDescription, META, MODERN_REVISION } from "libmcp";
import { isObject, type JsonObject } from "../../contract/json.ts";

const CLAIMED: readonly string[] = [META.protocolVersion, META.clientCapabilities, META.clientInfo, META.logLevel];

/** The description of the client that every request without a handshake must carry. */
export function createClaim(client: ClientDescription, logLevel?: string): JsonObject {
	return {
		[META.protocolVersion]: MODERN_REVISION,
		[META.clientCapabilities]: client.capabilities,
		...(client.name !== undefined && { [META.clientInfo]: { name: client.name, version: client.version ?? "0" } }),
		...(logLevel !== undefined && { [META.logLevel]: logLevel }),
	};
}

/** Converts a request between eras: adds or removes the client's claim in `_meta`, and keeps the rest. */
export function addClaim(params: JsonObject, claim: JsonObject): JsonObject {
	return { ...params, _meta: { ...(isObject(params._meta) ? params._meta : {}), ...claim } };
}

export function removeClaim(params: JsonObject): JsonObject {
	if (!isObject(params._meta)) return params;
	const { _meta, ...rest } = params;
	const kept = Object.entries(_meta).filter(([name]) => !CLAIMED.includes(name));
	return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

/** The log level a request without a handshake asked for. */
export function readLogLevel(params: JsonObject): string | undefined {
	const level = isObject(params._meta) ? params._meta[META.logLevel] : undefined;
	return typeof level === "string" ? level : undefined;
}

/** A modern result for a client with a handshake. */
export function toLegacyResult(result: unknown): unknown {
	if (!isObject(result)) return result;
	const { resultType: _, ttlMs: __, cacheScope: ___, _meta, ...rest } = result;
	if (!isObject(_meta)) return rest;
	const kept = Object.entries(_meta).filter(([name]) => name !== META.serverInfo);
	return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
