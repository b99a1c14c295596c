import type { Client } from "./clientTable.ts";

/** A server entry in our own terms, independent of the client's member names. */
export type ServerEntry =
	| {
			readonly kind: "command";
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
			readonly cwd?: string;
	  }
	| {
			readonly kind: "url";
			/** The transport; `sse` is the older one. */
			readonly type: "http" | "sse";
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
	  };

/** The members a client wants for this server. */
export function toClientEntry(client: Client, entry: ServerEntry): Record<string, unknown> {
	if (entry.kind === "command") {
		return {
			...(client.typed && { type: "stdio" }),
			command: entry.command,
			args: [...entry.args],
			...(Object.keys(entry.env).length > 0 && { env: { ...entry.env } }),
			...(entry.cwd !== undefined && { cwd: entry.cwd }),
		};
	}
	if (client.urlKey === undefined)
		throw new Error(`${client.title} starts servers by command; it cannot be given the address ${entry.url}`);
	return {
		...(client.typed && { type: entry.type }),
		[client.urlKey]: entry.url,
		...(Object.keys(entry.headers).length > 0 && { [client.headersKey]: { ...entry.headers } }),
	};
}

/** Reads a client's entry; `undefined` for one that names neither a command nor an address. */
export function fromClientEntry(client: Client, value: unknown): ServerEntry | undefined {
	if (!isRecord(value)) return undefined;
	const { member, members } = commandIn(value);
	const command = members[member];
	if (typeof command === "string") {
		const args = Array.isArray(members.args) ? members.args.map(String) : [];
		const cwd = typeof value.cwd === "string" && { cwd: value.cwd };
		return { kind: "command", command, args, env: texts(members.env), ...cwd };
	}
	for (const key of [client.urlKey, "url", "httpUrl", "serverUrl"]) {
		const url = key === undefined ? undefined : value[key];
		if (typeof url !== "string") continue;
		// Gemini CLI distinguishes the two by the member's name.
		const isOld = value.type === "sse" || (client.urlKey === "httpUrl" && key === "url");
		return { kind: "url", type: isOld ? "sse" : "http", url, headers: texts(value.headers ?? value.http_headers) };
	}
	return undefined;
}

/** The object that holds the command: the entry itself, or, in old Zed files, its `command` member. */
export function commandIn(value: Readonly<Record<string, unknown>>): {
	readonly at: readonly string[];
	readonly member: "command" | "path";
	readonly members: Readonly<Record<string, unknown>>;
} {
	if (isRecord(value.command)) return { at: ["command"], member: "path", members: value.command };
	return { at: [], member: "command", members: value };
}

export function texts(value: unknown): Record<string, string> {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, String(inner)]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
