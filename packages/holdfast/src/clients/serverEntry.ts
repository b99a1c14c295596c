import type { Client } from "./clientTable.ts";

/** A server entry in our own terms, independent of the client's member names. */
export type ServerEntry = Asides &
	(
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
				/** The OAuth client that the user registered with the server. */
				readonly oauth?: { readonly client_id: string; readonly client_secret?: string };
		  }
	);

/** Settings that the gateway takes for any server. */
export type Asides = {
	readonly description?: string;
	/** The only tools to show; `exclude` has those to hide. */
	readonly include?: readonly string[];
	readonly exclude?: readonly string[];
};

export type Command = { readonly command: string; readonly args: readonly string[] };

/** Without `args`, the entry loses those that it has. */
export type NewCommand = Pick<Command, "command"> & Partial<Command>;

/** Writes an entry with the client's own member names. */
export function toClientEntry(client: Client, entry: ServerEntry): Record<string, unknown> {
	if (entry.kind === "command") {
		const { command, args } = entry;
		const env = Object.keys(entry.env).length > 0 ? { ...entry.env } : undefined;
		const cwd = entry.cwd !== undefined && { cwd: entry.cwd };
		if (client.entries === "listed")
			return { type: "local", command: [command, ...args], ...(env && { environment: env }), ...cwd };
		return {
			...(client.entries === "typed" && { type: "stdio" }),
			command,
			args: [...args],
			...(env && { env }),
			...cwd,
		};
	}
	if (client.urlKey === undefined)
		throw new Error(
			`${client.title} starts servers by command; it cannot be given the address ${entry.url}; without one it starts a gateway`,
		);
	return {
		...(client.entries !== "untyped" && { type: client.entries === "listed" ? "remote" : entry.type }),
		[client.urlKey]: entry.url,
		...(Object.keys(entry.headers).length > 0 && { [client.headersKey]: { ...entry.headers } }),
	};
}

const OLD_PATH = /\/sse\/?(?:[?#].*)?$/;

/** Reads a client's entry; `undefined` for one that names neither a command nor an address. */
export function fromClientEntry(client: Client, value: unknown): ServerEntry | undefined {
	if (!isRecord(value)) return undefined;
	const { command, args, env } = readCommand(value);
	if (typeof command === "string") {
		const cwd = typeof value.cwd === "string" && { cwd: value.cwd };
		return { kind: "command", command, args: Array.isArray(args) ? args.map(String) : [], env: keepTexts(env), ...cwd };
	}
	for (const key of [client.urlKey, "url", "httpUrl", "serverUrl"]) {
		const url = key === undefined ? undefined : value[key];
		if (typeof url !== "string") continue;
		// Without a type, clients try both transports; the old one is recognized by its path.
		const named = value.type === "remote" ? undefined : value.type;
		const type = named ?? (key !== "httpUrl" && OLD_PATH.test(url) ? "sse" : "http");
		const headers = keepTexts(value.headers ?? value.http_headers);
		return { kind: "url", type: type === "sse" ? "sse" : "http", url, headers };
	}
	return undefined;
}

/** Finds an entry's command, which clients write in three ways. */
export function readCommand(value: Readonly<Record<string, unknown>>): {
	readonly at: readonly string[];
	readonly command: unknown;
	readonly args: unknown;
	readonly env: unknown;
	/** The members to write at `at` for another command; one without a value goes. */
	readonly saying: (other: NewCommand) => Readonly<Record<string, unknown>>;
} {
	const { command, args, env, environment } = value;
	if (Array.isArray(command)) {
		const [first, ...rest]: unknown[] = command;
		return {
			at: [],
			command: first,
			args: rest,
			env: environment,
			saying: (to) => ({ command: [to.command, ...(to.args ?? [])] }),
		};
	}
	// Old versions of Zed write it this way.
	if (isRecord(command)) {
		const { path, args: its, env: own } = command;
		return {
			at: ["command"],
			command: path,
			args: its,
			env: own,
			saying: (to) => ({ path: to.command, args: to.args }),
		};
	}
	return { at: [], command, args, env, saying: (to) => ({ command: to.command, args: to.args }) };
}

export function keepTexts(value: unknown): Record<string, string> {
	if (!isRecord(value)) return {};
	// In VS Code's files, null means that the variable is not set.
	const given = Object.entries(value).filter(([, inner]) => inner !== null);
	return Object.fromEntries(given.map(([key, inner]) => [key, String(inner)]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
