import type { ClientRequest, IncomingMessage } from "node:http";
import { isJsonNumber, type JsonValue, readMember } from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { type Failure, NETWORK_UNREACHABLE, type ToolResult } from "../results.ts";

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
export function createBackendUrl(base: string, assetsPath: string): URL | undefined {
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
		const id = readMember(answer, "id") ?? readMember(answer, "asset_id");
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

type BackendAnswer = { readonly status: number; readonly body: string };
/** `lost`: it reported success, but the rest of its answer is not known, for this reason. */
type PostOutcome = BackendAnswer | { readonly status: number; readonly lost: string } | "unreachable";

type PostLimits = { readonly totalMs: number; readonly maxBodyBytes: number };
export const POST_LIMITS: PostLimits = { totalMs: 5_000, maxBodyBytes: 1024 * 1024 };

/** Sends the JSON once: no retry, no redirect, one deadline for everything from the name lookup to the last byte. */
async function postAsset(url: URL, json: string, limits: PostLimits = POST_LIMITS): Promise<PostOutcome> {
	const body = Buffer.from(json);
	const started = performance.now();
	// Loaded when first needed: most servers never post, and an HTTP client takes as much memory as all the rest.
	const { request: send } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
	return new Promise((resolve) => {
		let request: ClientRequest | undefined;
		// Once the status is here the backend has answered, whatever becomes of the rest.
		let brokenOff = (): PostOutcome => "unreachable";
		const timer = setTimeout(() => finish(brokenOff()), limits.totalMs - (performance.now() - started));
		const finish = (outcome: PostOutcome): void => {
			clearTimeout(timer);
			resolve(outcome);
			request?.destroy();
		};
		try {
			// A new connection: a pooled one may have died, and finding that out would mean sending twice.
			request = send(url, { method: "POST", agent: false, headers: headersFor(body) });
		} catch {
			finish("unreachable");
			return;
		}
		request.on("error", () => finish(brokenOff()));
		request.on("response", (response) => {
			brokenOff = collect(response, limits.maxBodyBytes, finish);
		});
		// A protocol upgrade carries no answer.
		request.on("upgrade", (_, socket) => {
			socket.destroy();
			finish({ status: 101, body: "" });
		});
		request.end(body);
	});
}

function isSuccess(status: number): boolean {
	return status >= 200 && status <= 299;
}

function headersFor(body: Buffer): Record<string, string | number> {
	return { "content-type": "application/json", accept: "application/json", "content-length": body.length };
}

/** Returns what to report should the answer not come to its end. */
function collect(
	response: IncomingMessage,
	maxBytes: number,
	finish: (outcome: PostOutcome) => void,
): () => PostOutcome {
	const { statusCode: status = 502 } = response;
	const chunks: Buffer[] = [];
	const answer = (): BackendAnswer => ({ status, body: Buffer.concat(chunks).toString() });
	// For a failure, only the status and the start of its text are reported.
	const without = (lost: string): PostOutcome => (isSuccess(status) ? { status, lost } : answer());
	const brokenOff = (): PostOutcome => without("its answer broke off");
	let size = 0;
	response.on("data", (chunk: Buffer) => {
		size += chunk.length;
		if (size <= maxBytes) chunks.push(chunk);
		else finish(without("its answer is larger than 1 MiB"));
	});
	response.on("end", () => finish(response.complete ? answer() : brokenOff()));
	response.on("error", () => finish(brokenOff()));
	response.on("aborted", () => finish(brokenOff()));
	return brokenOff;
}
