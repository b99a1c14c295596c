import type { IncomingHttpHeaders } from "node:http";
import type { RpcError } from "../fault/rpcError.ts";
import { isRecord, META } from "../server/protocol/protocol.ts";
import { protocolError } from "../server/protocol/rpcErrors.ts";

/** Which member of `params` the Mcp-Name header repeats. */
const NAME_SOURCE: Readonly<Record<string, string>> = {
	"tools/call": "name",
	"prompts/get": "name",
	"resources/read": "uri",
	"tasks/get": "taskId",
	"tasks/update": "taskId",
	"tasks/cancel": "taskId",
};

/** Intermediaries route by the headers and servers act on the body, so the two must agree. */
export function checkModernHeaders(headers: IncomingHttpHeaders, method: string, params: unknown): void {
	const version = readHeader(headers, "mcp-protocol-version");
	const claimed = isRecord(params) && isRecord(params._meta) ? params._meta[META.protocolVersion] : undefined;
	if (version === undefined) throw createMismatchError("MCP-Protocol-Version", "is required");
	if (version !== claimed)
		throw createMismatchError("MCP-Protocol-Version", `names ${quote(version)}, the body ${quote(claimed)}`);
	const named = readHeader(headers, "mcp-method");
	if (named === undefined) throw createMismatchError("Mcp-Method", "is required");
	if (named !== method) throw createMismatchError("Mcp-Method", `names ${quote(named)}, the body ${quote(method)}`);
	const source = Object.hasOwn(NAME_SOURCE, method) ? NAME_SOURCE[method] : undefined;
	const value = source !== undefined && isRecord(params) ? params[source] : undefined;
	if (source === undefined) return;
	const raw = readHeader(headers, "mcp-name");
	if (raw === undefined) {
		if (typeof value === "string") throw createMismatchError("Mcp-Name", "is required");
		return;
	}
	const name = decodeHeaderValue(raw);
	if (name === undefined) throw createMismatchError("Mcp-Name", "is not valid Base64 between its marks");
	if (typeof value === "string" && name !== value) {
		throw createMismatchError("Mcp-Name", `names ${quote(name)}, the body's params.${source} ${quote(value)}`);
	}
}

/** The headers that a proxy must send with this request; undefined when the request has no modern `_meta`. */
export function modernHeaders(method: string, params: unknown): Record<string, string> | undefined {
	const claimed = isRecord(params) && isRecord(params._meta) ? params._meta[META.protocolVersion] : undefined;
	if (!isRecord(params) || typeof claimed !== "string") return undefined;
	const headers: Record<string, string> = { "mcp-protocol-version": claimed, "mcp-method": method };
	const source = Object.hasOwn(NAME_SOURCE, method) ? NAME_SOURCE[method] : undefined;
	const name = source === undefined ? undefined : params[source];
	if (typeof name === "string") headers["mcp-name"] = encodeHeaderValue(name);
	return headers;
}

export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
	const value = headers[name];
	return typeof value === "string" ? value.trim() : value?.[0]?.trim();
}

/** Decodes `=?base64?…?=`, the form of values that are no plain header text; undefined when the Base64 is invalid. */
export function decodeHeaderValue(raw: string): string | undefined {
	const encoded = /^=\?base64\?(.*)\?=$/i.exec(raw)?.[1];
	if (encoded === undefined) return raw;
	if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
	} catch {
		return undefined;
	}
}

/** Visible ASCII is sent as it is; text that a header would change or forbid is sent as Base64. */
export function encodeHeaderValue(value: string): string {
	const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?");
	return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** The error of a header that does not say what the body says. */
export function createMismatchError(header: string, problem: string): RpcError {
	return protocolError("HEADER_MISMATCH", `${header}: the header ${problem}`, { header });
}

function quote(value: unknown): string {
	return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : "nothing";
}
