import { readFileSync } from "node:fs";
import { basename, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { startsGateway } from "metatools/config";
import type { Client, Place } from "./clientTable.ts";
import { asidesIn, oauthIn } from "./memberNames.ts";
import { commandIn, fromClientEntry, isRecord, type ServerEntry, texts } from "./serverEntry.ts";
import { unwrapped } from "./wrapServers.ts";

/** Where an entry was found; `project` is `undefined` if the entry is for all projects. */
export type Surroundings = { readonly place: Place; readonly project: string | undefined };

/** Translates an entry so that it means the same to the gateway; throws with the reason if that is impossible. */
export function importable(client: Client, value: unknown, at: Surroundings): ServerEntry {
	const entry = fromClientEntry(client, value);
	if (isRecord(value) && (value.source === "extension" || (entry === undefined && isRecord(value.settings))))
		throw new Error(`only ${client.title} can start its extension`);
	if (entry === undefined || !isRecord(value)) throw new Error("expected a command or an address");
	if (value.disabled === true || value.enabled === false) throw new Error(`it is switched off in ${client.title}`);
	const { args: given = [] } = commandIn(value);
	if (!Array.isArray(given)) throw new Error("its args are no list");
	if (value.headersHelper !== undefined) throw new Error(`only ${client.title} can run its headersHelper`);
	const said = (text: string): string => translated(client, text, at);
	if (entry.kind === "url") {
		const { id, secret } = oauthIn(value);
		return {
			...entry,
			url: said(entry.url),
			headers: { ...mapped(entry.headers, said), ...headersOf(value) },
			...(id !== undefined && {
				oauth: { client_id: said(id), ...(secret !== undefined && { client_secret: said(secret) }) },
			}),
			...asidesIn(value, plain),
		};
	}
	// Behind the gateway, the server would regain the rights that the sandbox takes from it.
	if (value.sandboxEnabled === true) throw new Error(`only ${client.title} can run it in its sandbox`);
	// The gateway runs each server under its own host.
	const { command, args } = unwrapped(entry) ?? entry;
	if (startsGateway({ command, args })) throw new Error("it is the gateway itself");
	const cwd = entry.cwd === undefined ? at.project : resolve(at.project ?? at.place.home, said(entry.cwd));
	return {
		kind: "command",
		command: said(command),
		args: args.map(said),
		env: { ...fromEnvFile(value.envFile, said, at), ...mapped(entry.env, said), ...passedOn(value) },
		...(cwd !== undefined && { cwd }),
		...asidesIn(value, plain),
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
export function unescaped<T extends ServerEntry>(entry: T): T {
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
		...mapped(texts(value.env_http_headers), fromVariable),
		...(typeof bearer === "string" && { Authorization: `Bearer ${fromVariable(bearer)}` }),
	};
}
