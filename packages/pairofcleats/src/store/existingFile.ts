import { pathToFileURL } from "node:url";

/** Names a file for SQLite to open, which would otherwise create an empty one in place of a file that is gone. */
export function existingFile(path: string): URL {
	const url = pathToFileURL(path);
	url.searchParams.set("mode", "rw");
	return url;
}
