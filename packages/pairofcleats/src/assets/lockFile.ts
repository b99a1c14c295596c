import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeOver, workFile } from "../files/workFiles.ts";

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
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? (value as Record<string, LockEntry>)
			: {};
	} catch {
		return {};
	}
}

export function recordInLock(folder: string, name: string, entry: LockEntry): void {
	const next = { ...readLock(folder), [name]: entry };
	const path = join(folder, NAME);
	const sorted = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)));
	takeOver(folder, NAME);
	const fresh = workFile(folder, NAME, "place");
	writeFileSync(fresh, `${JSON.stringify(sorted, null, 2)}\n`, { flush: true });
	renameSync(fresh, path);
}
