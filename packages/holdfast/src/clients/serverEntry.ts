import type { Client } from "./clientTable.ts";

/** A server as we speak of it, whatever the client calls its members. */
export type ServerEntry =
	| {
			readonly kind: "command";
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
	  }
	| { readonly kind: "url"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The members a client wants for this server. */
export function toClientEntry(client: Client, entry: ServerEntry): Record<string, unknown> {
	if (entry.kind === "command") {
		return {
			...(client.typed && { type: "stdio" }),
			command: entry.command,
			args: [...entry.args],
			...(Object.keys(entry.env).length > 0 && { env: { ...entry.env } }),
		};
	}
	if (client.urlKey === undefined)
		throw new Error(`${client.title} starts servers by command; it cannot be given the address ${entry.url}`);
	return {
		...(client.typed && { type: "http" }),
		[client.urlKey]: entry.url,
		...(Object.keys(entry.headers).length > 0 && { [client.headersKey]: { ...entry.headers } }),
	};
}

/** Reads a client's entry; `undefined` for one that names neither a command nor an address. */
export function fromClientEntry(client: Client, value: unknown): ServerEntry | undefined {
	if (!isRecord(value)) return undefined;
	if (typeof value.command === "string") {
		const args = Array.isArray(value.args) ? value.args.map(String) : [];
		return { kind: "command", command: value.command, args, env: texts(value.env) };
	}
	for (const key of [client.urlKey, "url", "httpUrl", "serverUrl"]) {
		const url = key === undefined ? undefined : value[key];
		if (typeof url === "string") return { kind: "url", url, headers: texts(value.headers ?? value.http_headers) };
	}
	return undefined;
}

function texts(value: unknown): Record<string, string> {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, String(inner)]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
