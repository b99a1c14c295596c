import { readFileSync } from "node:fs";
import { basename, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { startsGateway } from "metatools/config";
import type { Client, Place } from "./clientTable.ts";
import { type Asides, fromClientEntry, isRecord, keepTexts, readCommand, type ServerEntry } from "./serverEntry.ts";
import { unwrapCommand } from "./wrapServers.ts";

/** Where an entry was found; `project` is `undefined` if the entry is for all projects. */
export type Surroundings = { readonly place: Place; readonly project: string | undefined };

/** Translates an entry so that it means the same to the gateway; throws with the reason if that is impossible. */
export function translateEntry(client: Client, value: unknown, at: Surroundings): ServerEntry {
	const entry = fromClientEntry(client, value);
	if (isRecord(value) && (value.source === "extension" || (entry === undefined && isRecord(value.settings))))
		throw new Error(`only ${client.title} can start its extension`);
	if (entry === undefined || !isRecord(value)) throw new Error("expected a command or an address");
	if (value.disabled === true || value.enabled === false) throw new Error(`it is switched off in ${client.title}`);
	const { args: given = [] } = readCommand(value);
	if (!Array.isArray(given)) throw new Error("its args are no list");
	if (value.headersHelper !== undefined) throw new Error(`only ${client.title} can run its headersHelper`);
	const said = (text: string): string => translated(client, text, at);
	if (entry.kind === "url") {
		const { id, secret } = readOauth(value);
		return {
			...entry,
			url: said(entry.url),
			headers: { ...mapped(entry.headers, said), ...headersOf(value) },
			...(id !== undefined && {
				oauth: { client_id: said(id), ...(secret !== undefined && { client_secret: said(secret) }) },
			}),
			...readAsides(value, plain),
		};
	}
	// Behind the gateway, the server would regain the rights that the sandbox takes from it.
	if (value.sandboxEnabled === true) throw new Error(`only ${client.title} can run it in its sandbox`);
	// The gateway runs each server under its own host.
	const { command, args } = unwrapCommand(entry) ?? entry;
	if (startsGateway({ command, args })) throw new Error("it is the gateway itself");
	const cwd = entry.cwd === undefined ? at.project : resolve(at.project ?? at.place.home, said(entry.cwd));
	return {
		kind: "command",
		command: said(command),
		args: args.map(said),
		env: { ...fromEnvFile(value.envFile, said, at), ...mapped(entry.env, said), ...passedOn(value) },
		...(cwd !== undefined && { cwd }),
		...readAsides(value, plain),
	};
}

const PATTERNS = {
	braces: /\$\{([^}]*)\}/g,
	editor: /\$\{([^}]*)\}/g,
	dollar: /\$\{([^}]*)\}|\$([A-Za-z_]\w*)/g,
	named: /\{((?:env|file):[^}]*)\}/g,
} as const;

/** Rewrites the client's variables in the gateway's syntax, and escapes text that only looks like a variable. */
function translated(client: Client, text: string, { place, project }: Surroundings): string {
	if (client.variables === "none") return plain(text);
	const pattern = PATTERNS[client.variables];
	let result = "";
	let end = 0;
	for (const match of text.matchAll(pattern)) {
		const before = text.slice(end, match.index);
		// A dollar sign just before a variable would escape it.
		result += plain(before) + (before.endsWith("$") ? "$" : "") + variable(match[0], match[1] ?? match[2] ?? "");
		end = match.index + match[0].length;
	}
	return result + plain(text.slice(end));

	function variable(whole: string, name: string): string {
		// The client would start the server in its project; the gateway may run anywhere.
		if (name === "PWD" && project !== undefined) return plain(project);
		if (client.variables === "braces" || client.variables === "dollar") {
			if (/^[A-Za-z_]\w*$/.test(name)) return fromVariable(name);
			return /^[A-Za-z_]\w*:-/.test(name) ? whole : plain(whole);
		}
		if (/^env:[A-Za-z_]\w*$/.test(name)) return fromVariable(name.slice(4));
		if (name === "userHome") return plain(place.home);
		if (name === "pathSeparator" || name === "/") return sep;
		if (!/^workspace(?:Folder|FolderBasename|Root)$/.test(name))
			throw new Error(`only ${client.title} can fill in ${whole}`);
		if (project === undefined) throw new Error(`${whole} differs from project to project`);
		return plain(name === "workspaceFolderBasename" ? basename(project) : project);
	}
}

/** Defaults to empty, because the gateway refuses an entry with an unset variable and the server may not need it. */
function fromVariable(name: string): string {
	return `\${${name}:-}`;
}

/** Escapes text so that the gateway does not expand variables in it. */
function plain(text: string): string {
	return text.replace(/\$(?=[${])/g, "$$$$");
}

/** Removes the escapes that `plain` has added, to show the entry to a person. */
export function unescapeEntry<T extends ServerEntry>(entry: T): T {
	return JSON.parse(JSON.stringify(entry).replaceAll("$$", "$"));
}

function mapped(all: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> {
	return Object.fromEntries(Object.entries(all).map(([name, text]) => [name, change(text)]));
}

function fromEnvFile(file: unknown, said: (text: string) => string, at: Surroundings): Record<string, string> {
	if (typeof file !== "string") return {};
	const found = parseEnv(readFileSync(resolve(at.project ?? at.place.home, said(file)), "utf8"));
	return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, plain(text ?? "")]));
}

/** Codex lists the variables to pass to a server by name. */
function passedOn({ env_vars: names }: Readonly<Record<string, unknown>>): Record<string, string> {
	const passed = (Array.isArray(names) ? names : []).map((one) => String(isRecord(one) ? one.name : one));
	return Object.fromEntries(passed.map((name) => [name, fromVariable(name)]));
}

function headersOf(value: Readonly<Record<string, unknown>>): Record<string, string> {
	const bearer = value.bearer_token_env_var;
	return {
		...mapped(keepTexts(value.env_http_headers), fromVariable),
		...(typeof bearer === "string" && { Authorization: `Bearer ${fromVariable(bearer)}` }),
	};
}

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
function readAsides(value: Members, plain: (text: string) => string): Asides {
	const include = SHOWN.flatMap((name) => listIn(value, name)).at(-1);
	const exclude = HIDDEN.flatMap((name) => listIn(value, name)).flat();
	return {
		...(typeof value.description === "string" && value.description !== "" && { description: plain(value.description) }),
		// Copilot writes a star for all tools.
		...(include !== undefined && !include.includes("*") && { include: include.map(plain) }),
		...(exclude.length > 0 && { exclude: exclude.map(plain) }),
	};
}

function readOauth(value: Members): { readonly id: string | undefined; readonly secret: string | undefined } {
	const [oauth = {}] = OAUTH.flatMap((name) => (isRecord(value[name]) ? [value[name]] : []));
	return { id: textIn(oauth, OAUTH_ID) ?? textIn(value, ["oauthClientId"]), secret: textIn(oauth, OAUTH_SECRET) };
}

/** The paths of members without a counterpart in the gateway; empty members do not count. */
export function listNotTakenOver(value: unknown, { kind }: ServerEntry): string[] {
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
