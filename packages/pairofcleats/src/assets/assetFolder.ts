import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { CleatsError, invalidField } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import { withPath } from "../contract/withPath.ts";
import { adoptWorkFiles, nameWorkFile } from "../files/workFiles.ts";

/** The folder for one kind of asset: the default one in the cache, or the given one, which must be inside the cache. */
export function findAssetFolder(
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

/** Where an asset came from; stored in a lock file next to the assets. */
export type LockEntry = {
	readonly file: string;
	readonly url: string;
	readonly sha256: string;
	readonly verified: boolean;
	readonly etag?: string;
	readonly fetchedAt: string;
};

const NAME = "sources.lock.json";

/** The entries of a folder; a damaged lock file counts as empty and is rewritten by the next fetch. */
export function readLock(folder: string): Readonly<Record<string, LockEntry>> {
	try {
		const value: unknown = JSON.parse(readFileSync(join(folder, NAME), "utf8"));
		if (!isObject(value)) return {};
		return Object.fromEntries(
			Object.entries(value).flatMap(([name, entry]) => (isEntry(entry) ? [[name, entry]] : [])),
		);
	} catch {
		return {};
	}
}

/** What vouches for a file: the last fetch that wrote it, from whichever source. */
export function findLastFetch(folder: string, file: string): LockEntry | undefined {
	return Object.values(readLock(folder))
		.filter((entry) => entry.file === file)
		.sort((a, b) => (a.fetchedAt < b.fetchedAt ? -1 : 1))
		.at(-1);
}

export function recordInLock(folder: string, name: string, entry: LockEntry): void {
	const others = Object.entries(readLock(folder)).filter(([other, { file }]) => other !== name && file !== entry.file);
	const path = join(folder, NAME);
	const sorted = Object.fromEntries([...others, [name, entry] as const].sort(([a], [b]) => (a < b ? -1 : 1)));
	adoptWorkFiles(folder, NAME);
	const fresh = nameWorkFile(folder, NAME, "place");
	writeFileSync(fresh, `${JSON.stringify(sorted, null, 2)}\n`, { flush: true });
	renameSync(fresh, path);
}

function isEntry(value: unknown): value is LockEntry {
	return (
		isObject(value) && [value.file, value.url, value.sha256, value.fetchedAt].every((one) => typeof one === "string")
	);
}
