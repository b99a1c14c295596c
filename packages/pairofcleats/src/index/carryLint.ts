import type { HeldFile } from "../store/indexFolder.ts";
import { type LiveFile, liveFiles } from "../store/liveFiles.ts";
import { openReader } from "../store/sqliteReader.ts";
import { writeLint } from "../store/sqliteWriter.ts";
import type { IndexReader } from "../store/store.ts";
import type { UserData } from "../store/userData.ts";

/** Copies lint diagnostics of unchanged files from the old index to its replacement. */
export function carryLint({ lint, linted }: UserData, from: HeldFile | undefined, to: HeldFile): void {
	if (from === undefined || lint.length === 0) return;
	const isSame = withReader(to, (now) => sameTexts(from, now) ?? sameFiles(linted, now));
	const rows = lint.filter(({ path }) => isSame(path));
	if (rows.length > 0) writeLint(to, [], rows);
}

/** `undefined` if the old index is damaged or of another version. */
function sameTexts(from: HeldFile, now: IndexReader): ((path: string) => boolean) | undefined {
	let old: ReadonlyMap<string, LiveFile>;
	try {
		old = withReader(from, (before) => liveFiles(before.segments()));
	} catch {
		return undefined;
	}
	const live = liveFiles(now.segments());
	return (path) => old.has(path) && old.get(path)?.hash === live.get(path)?.hash;
}

function sameFiles(linted: UserData["linted"], now: IndexReader): (path: string) => boolean {
	const stats = new Map([...now.stats()].map((stat) => [stat.path, stat]));
	return (path) => {
		const [before, stat] = [linted.get(path), stats.get(path)];
		if (before === undefined || stat?.state !== "indexed") return false;
		return before.bytes === stat.bytes && before.mtimeMs === stat.mtimeMs && before.inode === stat.inode;
	};
}

function withReader<Value>(file: HeldFile, body: (reader: IndexReader) => Value): Value {
	const reader = openReader(file);
	try {
		return body(reader);
	} finally {
		reader.close();
	}
}
