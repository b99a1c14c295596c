import type { JsonObject, JsonValue } from "./json/jsonValue.ts";

/** Where an asset fails its schema: `path` is a JSON Pointer into the asset. */
export type AssetError = { readonly path: string; readonly msg: string; readonly schemaPath?: string };

/** Negative answers of tools: results, not JSON-RPC errors. */
export type Failure =
	| { readonly ok: false; readonly reason: "not_found" }
	| { readonly ok: false; readonly reason: "validation_failed"; readonly errors: readonly AssetError[] }
	| { readonly ok: false; readonly reason: "backend_error"; readonly status: number; readonly detail: string }
	| { readonly ok: false; readonly reason: "unsupported"; readonly detail: string };

/** What a tool answers: `ok` and the members its contract names. */
export type ToolResult =
	| Failure
	| ({ readonly ok: true } & { readonly [member: string]: JsonValue | readonly JsonObject[] });

/** The answer of `validate_asset` for a valid asset, as JSON. */
export const VALID = '{"ok":true}';
export const NOT_FOUND: Failure = { ok: false, reason: "not_found" };
export const PAYLOAD_TOO_LARGE: Failure = invalid("payload_too_large");
export const NETWORK_UNREACHABLE: Failure = {
	ok: false,
	reason: "backend_error",
	status: 503,
	detail: "network_unreachable",
};

export function unsupported(detail: string): Failure {
	return { ok: false, reason: "unsupported", detail };
}

/** A refusal that concerns the request as a whole, so its path is the root. */
export function invalid(msg: string): Failure {
	return { ok: false, reason: "validation_failed", errors: [{ path: "", msg }] };
}
