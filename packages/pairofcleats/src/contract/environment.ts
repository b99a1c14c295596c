import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { CleatsError } from "./errors.ts";

/** The one place where this package reads the environment. A variable set to nothing is not set. */
export function cacheRoot(): string {
	return process.env.PAIROFCLEATS_CACHE_ROOT || ownFolder("CACHE", process.env.XDG_CACHE_HOME, ".cache");
}

/** What must outlive the cache: triage records. */
export function dataRoot(): string {
	return process.env.PAIROFCLEATS_DATA_ROOT || ownFolder("DATA", process.env.XDG_DATA_HOME, ".local/share");
}

/** By the rule of XDG: a folder that is not absolute does not count, or every working directory would get one. */
function ownFolder(kind: "CACHE" | "DATA", base: string | undefined, below: string): string {
	if (base !== undefined && isAbsolute(base)) return join(base, "pairofcleats");
	const home = homeFolder();
	if (home !== undefined) return join(home, below, "pairofcleats");
	const message = `PAIROFCLEATS_${kind}_ROOT: expected a folder, as this user has no home folder, got nothing`;
	throw new CleatsError("CAPABILITY_MISSING", message);
}

/** Empty or relative, as services and containers may have it, `HOME` tells nothing; nor does a user without an entry. */
function homeFolder(): string | undefined {
	for (const find of [homedir, () => userInfo().homedir]) {
		try {
			const folder = find();
			if (isAbsolute(folder)) return folder;
		} catch {}
	}
	return undefined;
}

/** A model file or folder to use instead of the one in the model cache. */
export function modelPath(): string | undefined {
	return process.env.PAIROFCLEATS_MODEL || undefined;
}

export type McpTransport = "sdk" | "legacy";

/** Only the word `legacy` selects the old framing; anything else that is set is a mistake worth saying. */
export function mcpTransport(): McpTransport {
	const chosen = process.env.PAIROFCLEATS_MCP_TRANSPORT || "sdk";
	if (chosen === "sdk" || chosen === "legacy") return chosen;
	throw new Error(`PAIROFCLEATS_MCP_TRANSPORT: expected sdk or legacy, got ${JSON.stringify(chosen)}`);
}

/** A limit, in milliseconds, for tools whose own is longer. */
export function toolTimeoutMs(): number | undefined {
	return wholeNumber("PAIROFCLEATS_TOOL_TIMEOUT_MS", process.env.PAIROFCLEATS_TOOL_TIMEOUT_MS);
}

/** Calls that may wait for their turn. */
export function queueMax(): number | undefined {
	return wholeNumber("PAIROFCLEATS_QUEUE_MAX", process.env.PAIROFCLEATS_QUEUE_MAX);
}

/** The bearer token of the HTTP API. */
export function apiToken(): string | undefined {
	return process.env.PAIROFCLEATS_API_TOKEN || undefined;
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
	if (text === undefined || text === "") return undefined;
	if (/^\d{1,9}$/.test(text)) return Number(text);
	throw new Error(`${name}: expected a whole number, got ${JSON.stringify(text)}`);
}

export type GitHomes = { readonly home: string; readonly config: string };

/** Where git looks for a user's settings; `undefined` where the environment tells git more than that. */
export function gitHomes(): GitHomes | undefined {
	const telling = /^GIT_(?:CONFIG|DIR$|WORK_TREE$|COMMON_DIR$|INDEX_FILE$|CEILING)/;
	if (Object.keys(process.env).some((name) => telling.test(name))) return undefined;
	const home = process.env.HOME || homeFolder();
	if (home === undefined) return undefined;
	return { home, config: process.env.XDG_CONFIG_HOME || join(home, ".config") };
}
