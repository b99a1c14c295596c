import { accept, type Normalized, refuse } from "./normalized.ts";

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
