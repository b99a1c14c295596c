import { createHash } from "node:crypto";
import type { CatalogTool } from "./tool.ts";

export const MAX_ID_LENGTH = 64;
export const MAX_NAMESPACE_LENGTH = 32;
/** Where the tools of the gateway itself live. */
export const LOCAL_NAMESPACE = "local";
/** Hexadecimal digits of a name's hash, if that is enough to be unique. */
export const HASH_LENGTH = 6;

type ToolIdParts = { readonly namespace?: string; readonly name: string; readonly version?: string };

/** Reads `name`, `namespace:name` or `namespace:name:version`; undefined when it is none of these. */
export function parseToolId(id: string): ToolIdParts | undefined {
	const parts = id.split(":");
	if (parts.length > 3 || parts.some((part) => part === "")) return undefined;
	const [first = "", second, version] = parts;
	if (second === undefined) return { name: first };
	return { namespace: first, name: second, ...(version !== undefined && { version }) };
}

export function formatToolId(namespace: string, name: string, version?: string): string {
	return version === undefined ? `${namespace}:${name}` : `${namespace}:${name}:${version}`;
}

/** Reduces a foreign name to the characters every client accepts. The result is never empty. */
export function safeName(raw: string, maxLength: number): string {
	const safe = raw.replace(/[^A-Za-z0-9_.-]/gu, "_");
	// A name reduced to underscores alone would collide with others of the same length.
	if (safe !== raw && !/[A-Za-z0-9]/.test(safe)) return withHash("", raw, maxLength);
	if (safe !== "" && safe.length <= maxLength) return safe;
	return withHash(safe, raw, maxLength);
}

/** `name` cut so that a hash of `source` fits behind it: deterministic, and nearly always distinct for distinct sources. */
export function withHash(name: string, source: string, maxLength: number, digits: number = HASH_LENGTH): string {
	const hash = createHash("sha256").update(source).digest("hex").slice(0, digits);
	return `${name.slice(0, Math.max(0, maxLength - digits - 1))}_${hash}`;
}

/** Whether the first version of a tool is newer; the one without a version is the newest. */
export function isNewer(a: string | undefined, b: string | undefined): boolean {
	if (a === undefined || b === undefined) return a === undefined;
	const [[release, prerelease], [other, otherPre]] = [partsOf(a), partsOf(b)];
	const order = release.localeCompare(other, "en", { numeric: true });
	if (order !== 0) return order > 0;
	// A release is newer than what came before it under the same number.
	if (prerelease === "" || otherPre === "") return prerelease === "" && otherPre !== "";
	return prerelease.localeCompare(otherPre, "en", { numeric: true }) > 0;
}

/** A version, and the name of its prerelease, if it is one. */
function partsOf(version: string): readonly [string, string] {
	const dash = version.indexOf("-");
	return dash === -1 ? [version, ""] : [version.slice(0, dash), version.slice(dash + 1)];
}

/**
 * Every id by which a rule may name a tool. Its server chooses the version, for which a long name may have to be cut, and must
 * not escape a rule by that.
 */
export function listRuleIds(tool: Pick<CatalogTool, "id" | "namespace" | "definition">): readonly string[] {
	return [...listAskedIds(tool.id), formatToolId(tool.namespace, tool.definition.name)];
}

/** The same for a tool of which only the id is known that somebody asks for. */
export function listAskedIds(id: string): readonly string[] {
	const parts = parseToolId(id);
	if (parts?.version === undefined) return [id];
	return [id, formatToolId(parts.namespace ?? "", parts.name)];
}

/** A matcher for names where `*` stands for any run of characters and everything else for itself. */
export function compilePattern(pattern: string): (name: string) => boolean {
	const [head = "", ...others] = pattern.split("*");
	const tail = others.pop();
	// Finds each part at its first occurrence, in linear time; a regular expression would backtrack on long names.
	return (name) => {
		if (tail === undefined) return name === head;
		if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
		const end = name.length - tail.length;
		let at = head.length;
		for (const part of others) {
			const found = name.indexOf(part, at);
			if (found < 0 || found + part.length > end) return false;
			at = found + part.length;
		}
		return true;
	};
}

/** Whether the pattern matches some name that begins with the prefix. */
export function canMatchAfter(prefix: string, pattern: string): boolean {
	const [head = "", ...others] = pattern.split("*");
	return head.startsWith(prefix) || (others.length > 0 && prefix.startsWith(head));
}

/** Whether the pattern matches every name that begins with the prefix. */
export function hasAllAfter(prefix: string, pattern: string): boolean {
	return pattern.endsWith("*") && compilePattern(pattern)(prefix);
}
