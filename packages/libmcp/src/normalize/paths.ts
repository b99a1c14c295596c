import { fileURLToPath } from "node:url";
import { accept, type Normalized, refuse } from "./values.ts";

/** Turns a path, or a `file:` URI of this machine, into one canonical path. Refuses any other scheme or host. */
export function normalizeLocation(field: string, value: unknown, options: PathOptions = {}): Normalized<string> {
	if (typeof value !== "string") return refuse("wrong_type", field, "a path or a file: URI", value);
	const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(value)?.[1];
	// A single letter before the colon is a drive, not a scheme.
	if (scheme === undefined) return normalizePath(field, value, options);
	if (scheme.toLowerCase() !== "file") return refuse("foreign", field, "a path or a file: URI", value);
	return fileUriToPath(field, value, options);
}

function fileUriToPath(field: string, uri: string, options: PathOptions): Normalized<string> {
	if (!/^file:\/\//i.test(uri)) return refuse("ambiguous", field, "a file: URI that starts with file://", uri);
	if (!URL.canParse(uri)) return refuse("foreign", field, "a well-formed file: URI", uri);
	const url = new URL(uri);
	if (url.hostname !== "" && url.hostname !== "localhost")
		return refuse("foreign", field, "a file: URI of this machine", uri);
	if (/[?#]/.test(uri)) return refuse("ambiguous", field, "a file: URI without ? and # (write %3F and %23)", uri);
	// The URL parser has already collapsed `..`, which ignores symbolic links, so refuse it in the text.
	if (/(^|\/)(\.|%2e){2}(\/|$)/i.test(uri.slice("file://".length)))
		return refuse("ambiguous", field, "a file: URI without ..", uri);
	url.hostname = "";
	try {
		return normalizePath(field, fileURLToPath(url, { windows: isWindows(options) }), options);
	} catch {
		return refuse("not_exact", field, "a file: URI that names one local path", uri);
	}
}

function isWindows({ windows = process.platform === "win32" }: PathOptions): boolean {
	return windows;
}

export type PathOptions = {
	/** Whether drive letters mean drives; the platform's own unless given. */ readonly windows?: boolean;
};

const LIKE_DRIVE = /^[a-z]:/i;

/**
 * Gives every spelling of a path the same form: `/` as separator, no doubled or trailing slash, upper-case drive
 * letters, and no `./` except where the rest would look like a drive. Keeps `..`, since its meaning depends on symbolic
 * links.
 */
export function normalizePath(
	field: string,
	value: unknown,
	{ windows = process.platform === "win32" }: PathOptions = {},
): Normalized<string> {
	if (typeof value !== "string") return refuse("wrong_type", field, "a path", value);
	if (value.trim() === "") return refuse("not_exact", field, "a path that is not empty", value);
	if (value.includes("\0")) return refuse("not_exact", field, "a path without NUL", value);
	const slashed = value.replaceAll("\\", "/");
	if (/^\/\/[^/]/.test(slashed) && (windows || value.startsWith("\\")))
		return refuse("foreign", field, "a path on this machine", value);
	const drive = /^[a-z]:(?=\/|$)/i.exec(slashed)?.[0];
	if (LIKE_DRIVE.test(slashed) && drive === undefined)
		return refuse("ambiguous", field, "a drive followed by a slash", value);
	const rest = slashed.slice(drive?.length ?? 0);
	const segments = rest.split("/").filter((segment) => segment !== "" && segment !== ".");
	const root = rest.startsWith("/") || drive !== undefined ? "/" : LIKE_DRIVE.test(segments[0] ?? "") ? "./" : "";
	const joined = `${drive?.toUpperCase() ?? ""}${root}${segments.join("/")}`;
	if (joined !== joined.trim() || value !== value.trim())
		return refuse("ambiguous", field, "a path without white space around it", value);
	return accept(joined === "" ? "." : joined);
}
