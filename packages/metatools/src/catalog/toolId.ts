import { createHash } from "node:crypto";

export const MAX_ID_LENGTH = 64;
export const MAX_NAMESPACE_LENGTH = 32;
/** Where the tools of the gateway itself live. */
export const LOCAL_NAMESPACE = "local";
/** Hexadecimal digits of a name's hash, if that is enough to be unique. */
export const HASH_LENGTH = 6;

export type ToolIdParts = { readonly namespace?: string; readonly name: string; readonly version?: string };

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
