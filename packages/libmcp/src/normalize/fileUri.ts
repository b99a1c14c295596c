import { fileURLToPath } from "node:url";
import { type Normalized, refuse } from "./normalized.ts";
import { normalizePath, type PathOptions } from "./pathStyle.ts";

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
