import { type Asides, isRecord, type ServerEntry } from "./serverEntry.ts";

type Members = Readonly<Record<string, unknown>>;

/** Clients' member names for the tools to show and the tools to hide. */
const SHOWN = ["enabled_tools", "includeTools", "tools"] as const;
const HIDDEN = ["disabledTools", "disabled_tools", "excludeTools"] as const;
/** Clients' member names for an OAuth client and its parts. */
const OAUTH = ["auth", "oauth"] as const;
const OAUTH_ID = ["CLIENT_ID", "clientId", "client_id"] as const;
const OAUTH_SECRET = ["CLIENT_SECRET", "clientSecret", "client_secret"] as const;

/** The members that are read from an entry, by its kind. */
const READ = {
	command: ["command", "args", "env", "environment", "cwd", "envFile", "env_vars"],
	url: ["headers", "http_headers", "env_http_headers", "bearer_token_env_var", "oauthClientId"],
} as const;
const ADDRESSES = ["url", "httpUrl", "serverUrl"] as const;
/** The members that are read from every entry. */
const READ_ALWAYS = ["type", "transport", "disabled", "enabled", "description", "source", ...HIDDEN];
/** Members about a server's origin and display, which do not change what it does. */
const IDLE = ["gallery", "version", "name", "displayName", "title", "$typeName", "sourcePath", "isDefaultServer"];

/** Reads an entry's description and tool filters; `plain` escapes text that looks like a variable. */
export function asidesIn(value: Members, plain: (text: string) => string): Asides {
	const include = SHOWN.flatMap((name) => listIn(value, name)).at(-1);
	const exclude = HIDDEN.flatMap((name) => listIn(value, name)).flat();
	return {
		...(typeof value.description === "string" && value.description !== "" && { description: plain(value.description) }),
		// Copilot writes a star for all tools.
		...(include !== undefined && !include.includes("*") && { include: include.map(plain) }),
		...(exclude.length > 0 && { exclude: exclude.map(plain) }),
	};
}

export function oauthIn(value: Members): { readonly id: string | undefined; readonly secret: string | undefined } {
	const [oauth = {}] = OAUTH.flatMap((name) => (isRecord(value[name]) ? [value[name]] : []));
	return { id: textIn(oauth, OAUTH_ID) ?? textIn(value, ["oauthClientId"]), secret: textIn(oauth, OAUTH_SECRET) };
}

/** The paths of members without a counterpart in the gateway; empty members do not count. */
export function notTakenOver(value: unknown, { kind }: ServerEntry): string[] {
	if (!isRecord(value)) return [];
	const taken = new Set<string>([...READ[kind], ...READ_ALWAYS, ...IDLE]);
	for (const name of SHOWN) if (Array.isArray(value[name])) taken.add(name);
	if (kind === "url") for (const name of ADDRESSES) taken.add(name);
	return Object.entries(value).flatMap(([name, inner]) => {
		if (taken.has(name) || isEmpty(inner)) return [];
		const isOauth = kind === "url" && OAUTH.some((one) => one === name);
		if (!isOauth || !isRecord(inner)) return isOauth && inner === true ? [] : [name];
		const known = new Set<string>([...OAUTH_ID, ...OAUTH_SECRET, "enabled"]);
		return Object.keys(inner).flatMap((part) => (known.has(part) || isEmpty(inner[part]) ? [] : [`${name}.${part}`]));
	});
}

function listIn(value: Members, name: string): string[][] {
	const list = value[name];
	return Array.isArray(list) ? [list.map(String)] : [];
}

function textIn(value: Members, names: readonly string[]): string | undefined {
	return names.map((name) => value[name]).find((text): text is string => typeof text === "string" && text !== "");
}

function isEmpty(value: unknown): boolean {
	if (value === null || value === undefined || value === false || value === "") return true;
	return typeof value === "object" && Object.keys(value).length === 0;
}
