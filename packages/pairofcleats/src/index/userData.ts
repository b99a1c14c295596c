import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { storageTrouble } from "../contract/errors.ts";
import type { HeldFile } from "../store/indexFolder.ts";
import { hasLineAuthors, type LiveFile, listLiveFiles } from "../store/liveFiles.ts";
import { openReader, readLint } from "../store/sqliteReader.ts";
import { writeLint } from "../store/sqliteWriter.ts";
import type { FileStat, IndexReader, LintRow } from "../store/store.ts";

/** What users gave an index, which building it again cannot find out. */
type UserData = {
	readonly blame: boolean;
	/** An empty text means the built-in rules. */
	readonly riskRules: string;
	readonly lint: readonly LintRow[];
	/** The files with findings, as they were when they were indexed. */
	readonly linted: ReadonlyMap<string, LintedFile>;
	/** False if a part of it could not be read. */
	readonly whole: boolean;
};

type LintedFile = Pick<FileStat, "bytes" | "mtimeMs" | "inode">;

/** Reads an index of any version, because these tables have the same shape in all, and of a damaged one what it can. */
export function readUserData(file: HeldFile | undefined): UserData {
	const nothing = { blame: false, riskRules: "", lint: [], linted: new Map(), whole: true };
	if (file === undefined) return nothing;
	const given = readFrom(file, readMeta);
	const found = readFrom(file, readFindings);
	return { ...nothing, ...given, ...found, whole: given !== undefined && found !== undefined };
}

/** `undefined` if it is damaged. A file that may not be opened is not: what users gave it would be lost. */
function readFrom<Value>(file: HeldFile, read: (database: DatabaseSync) => Value): Value | undefined {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { readOnly: true });
		return read(database);
	} catch (cause) {
		if (existsSync(file) && storageTrouble(cause) !== undefined) throw cause;
		return undefined;
	} finally {
		database?.close();
	}
}

function readMeta(database: DatabaseSync): Pick<UserData, "blame" | "riskRules"> {
	const select = database.prepare("SELECT value FROM meta WHERE key = ?");
	const meta = (key: string): string => String(select.get(key)?.value ?? "");
	return { blame: hasLineAuthors({ meta }), riskRules: meta("riskRules") };
}

function readFindings(database: DatabaseSync): Pick<UserData, "lint" | "linted"> {
	const lint = [...readLint(database.prepare("SELECT path, line, rule, message, source FROM lint ORDER BY id").all())];
	const rows = database
		.prepare("SELECT path, bytes, mtime, inode FROM stats WHERE path IN (SELECT path FROM lint)")
		.all()
		.map(({ path, bytes, mtime, inode }): [string, LintedFile] => {
			return [String(path), { bytes: Number(bytes), mtimeMs: Number(mtime), inode: Number(inode) }];
		});
	return { lint, linted: new Map(rows) };
}

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
		old = withReader(from, (before) => listLiveFiles(before.segments()));
	} catch {
		return undefined;
	}
	const live = listLiveFiles(now.segments());
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
