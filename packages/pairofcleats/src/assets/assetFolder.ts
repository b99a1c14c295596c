import { statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { CleatsError, invalidField } from "../contract/errors.ts";
import { withPath } from "../contract/withPath.ts";

/** The folder for one kind of asset: the default one in the cache, or the given one, which must be inside the cache. */
export function assetFolder(
	cacheRoot: string,
	kind: "models" | "dictionaries" | "extensions",
	dir: string | undefined,
	field: string,
): string {
	if (dir === undefined) return join(cacheRoot, kind);
	const folder = resolve(cacheRoot, dir);
	if (folder !== cacheRoot && !folder.startsWith(cacheRoot + sep))
		throw new CleatsError("FORBIDDEN", `${field}: expected a folder inside the cache`, { field });
	const found = withPath(field, "a folder", dir, () => statSync(folder, { throwIfNoEntry: false }));
	if (found?.isDirectory() === false) throw invalidField(field, "a folder", dir);
	return folder;
}
