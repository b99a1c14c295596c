import { CleatsError } from "../contract/errors.ts";
import type { HeldFile } from "../store/indexFolder.ts";
import { liveFiles } from "../store/liveFiles.ts";
import { openReader } from "../store/sqliteReader.ts";
import { writeLint } from "../store/sqliteWriter.ts";
import type { IndexReader } from "../store/store.ts";

/** Copies lint diagnostics of unchanged files from the old index to its replacement. */
export function carryLint(from: HeldFile | undefined, to: HeldFile): void {
	if (from === undefined) return;
	const rows = withReader(from, (before) => {
		const paths = before.lintPaths();
		if (paths.length === 0) return [];
		const old = liveFiles(before.segments());
		const now = withReader(to, (reader) => liveFiles(reader.segments())) ?? new Map();
		const isSame = (path: string): boolean => old.has(path) && old.get(path)?.hash === now.get(path)?.hash;
		return paths.filter(isSame).flatMap((path) => before.lint(path));
	});
	if (rows !== undefined && rows.length > 0) writeLint(to, [], rows);
}

function withReader<Value>(file: string, body: (reader: IndexReader) => Value): Value | undefined {
	try {
		const reader = openReader(file);
		try {
			return body(reader);
		} finally {
			reader.close();
		}
	} catch (error) {
		// An index of another version, or a damaged one, has nothing to copy.
		if (error instanceof CleatsError && error.code === "NO_INDEX") return undefined;
		throw error;
	}
}
