import { fileURLToPath } from "node:url";
import { type Normalized, refuse } from "./normalized.ts";
import { normalizePath, type PathOptions } from "./pathStyle.ts";

/** A path, or a `file:` URI of this machine, as one canonical path. Any other scheme or host is refused. */
export function normalizeLocation(field: string, value: unknown, options: PathOptions = {}): Normalized<string> {
	if (typeof value !== "string") return refuse("wrong_type", field, "a path or a file: URI", value);
	const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(value)?.[1];
	// One letter before the colon is a drive.
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
	// The parser has collapsed dot segments by now, which would follow no symbolic link.
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
