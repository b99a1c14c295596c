import { isJsonNumber, type JsonValue, member } from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { type Failure, NETWORK_UNREACHABLE, type ToolResult } from "../results.ts";
import { isSuccess, type PostLimits, type PostOutcome, postAsset } from "./postAsset.ts";

const MAX_DETAIL = 4_096;

/** Posts an asset to the backend and reports the outcome. The caller has validated the asset if that was asked for. */
export async function populateBackend(
	asset: JsonValue,
	url: URL | undefined,
	limits?: PostLimits,
): Promise<ToolResult> {
	if (url === undefined) return NETWORK_UNREACHABLE;
	const outcome = await postAsset(url, stringifyJson(asset), limits);
	return resultOf(outcome, url);
}

/** The configured address and assets path as one URL; undefined if the address is not http or https. */
export function backendUrl(base: string, assetsPath: string): URL | undefined {
	const url = URL.parse(base);
	if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
	const [path = "", query] = assetsPath.split(/\?(.*)/s);
	url.pathname = url.pathname.replace(/\/+$/, "") + (path.startsWith("/") ? path : `/${path}`);
	if (query !== undefined) url.search = query;
	return url;
}

function resultOf(outcome: PostOutcome, url: URL): ToolResult {
	if (outcome === "unreachable") return NETWORK_UNREACHABLE;
	if ("lost" in outcome)
		return backendError(502, `the backend said ${outcome.status}, but ${outcome.lost}; it may have taken the asset`);
	const { status, body } = outcome;
	if (!isSuccess(status)) return backendError(status, body.slice(0, MAX_DETAIL));
	return { ok: true, asset_id: assetId(body), backend_url: withoutSecrets(url) };
}

function backendError(status: number, detail: string): Failure {
	return { ok: false, reason: "backend_error", status, detail };
}

// A backend that answers without an id has still taken the asset.
function assetId(body: string): string {
	try {
		const answer = parseSpelt(body);
		const id = member(answer, "id") ?? member(answer, "asset_id");
		if (isJsonNumber(id)) return stringifyJson(id);
		return typeof id === "string" ? id : "";
	} catch {
		return "";
	}
}

// A query often carries a key.
function withoutSecrets(url: URL): string {
	const shown = new URL(url);
	shown.username = "";
	shown.password = "";
	shown.search = "";
	shown.hash = "";
	return shown.href;
}
