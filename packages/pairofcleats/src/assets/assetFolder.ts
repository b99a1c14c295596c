import { join, resolve, sep } from "node:path";
import { CleatsError } from "../contract/errors.ts";

/** The folder of one kind of asset: in the cache, or where the caller says inside it. */
export function assetFolder(
	cacheRoot: string,
	kind: "models" | "dictionaries" | "extensions",
	dir: unknown,
	field: string,
): string {
	if (dir === undefined) return join(cacheRoot, kind);
	const folder = resolve(cacheRoot, String(dir));
	if (folder === cacheRoot || folder.startsWith(cacheRoot + sep)) return folder;
	throw new CleatsError("FORBIDDEN", `${field}: expected a folder inside the cache`, { field });
}
