import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { homeFolder } from "libmcp/command";
import { CleatsError } from "./errors.ts";

/** All environment variables are read in this module. An empty variable counts as unset. */
export function cacheRoot(): string {
	return process.env.PAIROFCLEATS_CACHE_ROOT || ownFolder("CACHE", process.env.XDG_CACHE_HOME, ".cache");
}

/** Folder for data that must outlive the cache: triage records. */
export function dataRoot(): string {
	return process.env.PAIROFCLEATS_DATA_ROOT || ownFolder("DATA", process.env.XDG_DATA_HOME, ".local/share");
}

/** As XDG requires, a path that is not absolute is ignored; otherwise every working directory would get a folder. */
function ownFolder(kind: "CACHE" | "DATA", base: string | undefined, below: string): string {
	if (base !== undefined && isAbsolute(base)) return join(base, "pairofcleats");
	const home = homeFolder();
	if (home !== undefined) return join(home, below, "pairofcleats");
	const message = `PAIROFCLEATS_${kind}_ROOT: expected a folder, as this user has no home folder, got nothing`;
	throw new CleatsError("CAPABILITY_MISSING", message);
}

/** A model file or folder to use instead of the one in the model cache. */
export function modelPath(): string | undefined {
	return process.env.PAIROFCLEATS_MODEL || undefined;
}

export type McpTransport = "sdk" | "legacy";

/** An unknown value is an error instead of falling back to the default. */
export function mcpTransport(): McpTransport {
	const chosen = process.env.PAIROFCLEATS_MCP_TRANSPORT || "sdk";
	if (chosen === "sdk" || chosen === "legacy") return chosen;
	throw new Error(`PAIROFCLEATS_MCP_TRANSPORT: expected sdk or legacy, got ${JSON.stringify(chosen)}`);
}

/** Upper limit in milliseconds, for tools whose own limit is longer. */
export function toolTimeoutMs(): number | undefined {
	return wholeNumber("PAIROFCLEATS_TOOL_TIMEOUT_MS", process.env.PAIROFCLEATS_TOOL_TIMEOUT_MS, 1);
}

/** Most calls that can wait in the queue. */
export function queueMax(): number | undefined {
	return wholeNumber("PAIROFCLEATS_QUEUE_MAX", process.env.PAIROFCLEATS_QUEUE_MAX, 0);
}

/** The bearer token of the HTTP API. */
export function apiToken(): string | undefined {
	return process.env.PAIROFCLEATS_API_TOKEN || undefined;
}

function wholeNumber(name: string, text: string | undefined, least: number): number | undefined {
	if (text === undefined || text === "") return undefined;
	if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
	throw new Error(`${name}: expected a whole number from ${least}, got ${JSON.stringify(text)}`);
}

export type GitHomes = { readonly home: string; readonly config: string };

/** Where git looks for a user's settings; `undefined` if environment variables configure git in other ways. */
export function gitHomes(): GitHomes | undefined {
	const telling = /^GIT_(?:CONFIG|DIR$|WORK_TREE$|COMMON_DIR$|INDEX_FILE$|CEILING)/;
	if (Object.keys(process.env).some((name) => telling.test(name))) return undefined;
	const home = process.env.HOME || homeFolder();
	if (home === undefined) return undefined;
	return { home, config: process.env.XDG_CONFIG_HOME || join(home, ".config") };
}

/** The name of a repository's folder in the cache: readable, and unique even for repositories with the same name. */
export function repositoryId(root: string): string {
	const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
	return `${basename(root).replace(/[^\w.-]/g, "_") || "root"}-${digest}`;
}

/** Optional features that this installation has. */
export type Capabilities = {
	readonly docs: { readonly pdfjsDist: boolean; readonly mammoth: boolean };
	readonly vector: { readonly sqliteVec: boolean; readonly hnsw: boolean };
	readonly mcp: { readonly sdk: boolean; readonly legacy: boolean };
};

export function measureCapabilities(): Capabilities {
	return {
		docs: installedReaders(),
		vector: { sqliteVec: isInstalled("sqlite-vec"), hnsw: isInstalled("hnswlib-node") },
		mcp: { sdk: isInstalled("libmcp"), legacy: isInstalled("libmcp") },
	};
}

/** The packages that read documents. */
export function installedReaders(): Capabilities["docs"] {
	return { pdfjsDist: isInstalled("pdfjs-dist"), mammoth: isInstalled("mammoth") };
}

/**
 * Looks in the folders Node would search; `require.resolve` costs a fifth of Node's startup time, during the handshake.
 */
function isInstalled(name: string): boolean {
	for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
		if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
		if (folder === dirname(folder)) return false;
	}
}
