import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { ProgressCallback } from "@modelcontextprotocol/client";
import { getLoadablePath } from "sqlite-vec";
import { at } from "../server/serving.ts";
import type { Session } from "../triage/session.ts";
import { tinyModel } from "./tinyModel.ts";

export const TOOLS = ["download_dictionaries", "download_models", "download_extensions"] as const;
export type DownloadTool = (typeof TOOLS)[number];

export const WORDS = Buffer.from("render\nsource\ntemplate\n");
const EXTENSION = readFileSync(getLoadablePath());
export const GOOD: Readonly<Record<DownloadTool, Buffer>> = {
	download_dictionaries: WORDS,
	download_models: tinyModel(),
	download_extensions: EXTENSION,
};
/** Where each tool puts the file, relative to the cache. */
export const PLACED: Readonly<Record<DownloadTool, string>> = {
	download_dictionaries: "dictionaries/thing.txt",
	download_models: "models/default",
	download_extensions: `extensions/${basename(getLoadablePath())}`,
};
export const LOCKS = ["dictionaries", "extensions", "models"].map((kind) => `${kind}/sources.lock.json`);

export const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

export function requestOf(tool: DownloadTool, url: string, sha256: string): Record<string, unknown> {
	const own = { url: `thing=${url}#sha256=${sha256}`, force: true };
	return tool === "download_extensions" ? { ...own, out: basename(getLoadablePath()) } : own;
}

/** The assets in the cache with their digests, without the indexes. */
export function assetsIn(cacheRoot: string): Readonly<Record<string, string>> {
	const entries = existsSync(cacheRoot) ? readdirSync(cacheRoot, { withFileTypes: true, recursive: true }) : [];
	const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
	const assets = files.map((file) => [relative(cacheRoot, file), digest(readFileSync(file))] as const);
	return Object.fromEntries(assets.filter(([name]) => !name.startsWith("repos/")).sort());
}

/** Makes a call that must fail, checks that the cache is unchanged to the byte, and returns the error. */
export async function refused(
	{ client, cacheRoot }: Pick<Session, "client" | "cacheRoot">,
	tool: DownloadTool,
	args: Record<string, unknown>,
): Promise<{ readonly code: unknown; readonly message: string; readonly heard: readonly string[] }> {
	const before = assetsIn(cacheRoot);
	const heard: string[] = [];
	const onprogress: ProgressCallback = ({ message, total }) => void heard.push(`${message} of ${total}`);
	const answer = await client.callTool({ name: tool, arguments: args }, { onprogress });
	assert.equal(answer.isError, true, JSON.stringify(answer.structuredContent));
	const [code, message] = ["/error/code", "/error/message"].map((pointer) => at(answer.structuredContent, pointer));
	assert.deepEqual(assetsIn(cacheRoot), before, `${tool}: ${String(message)}`);
	return { code, message: String(message), heard };
}
