import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { storageTrouble } from "../contract/storageTrouble.ts";
import type { HeldFile } from "./indexFolder.ts";
import { knowsAuthors } from "./lineAuthors.ts";
import { readLint } from "./sqliteReader.ts";
import type { FileStat, LintRow } from "./store.ts";

/** What users gave an index, which building it again cannot find out. */
export type UserData = {
	readonly blame: boolean;
	/** An empty text means the built-in rules. */
	readonly riskRules: string;
	readonly lint: readonly LintRow[];
	/** The files with findings, as they were when they were indexed. */
	readonly linted: ReadonlyMap<string, LintedFile>;
	/** False if a part of it could not be read. */
	readonly whole: boolean;
};

export type LintedFile = Pick<FileStat, "bytes" | "mtimeMs" | "inode">;

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
	return { blame: knowsAuthors({ meta }), riskRules: meta("riskRules") };
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
