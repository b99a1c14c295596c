import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolder } from "libmcp/command";
import { repositoryId } from "../contract/environment.ts";
import { takeWriteLock, type WriteLock } from "./writeLock.ts";

const INDEX_FILE = /^index-(\d+)\.sqlite$/;
/** The name of the last damaged index, which is kept for whoever wants to know what happened to it. */
export const DAMAGED_FILE = "damaged.sqlite";
/** So long an interrupted build can be continued, which takes as much disk as the index. */
const BEGUN_MS = 24 * 3_600_000;

/**
 * The folder of one repository's index. A rebuilt index is a new file; `current` names the file in use and is replaced
 * atomically, so a reader sees either the old index or the new one.
 */
export type IndexFolder = {
	readonly path: string;
	/** The index in use, for readers: another process can replace and delete it at any moment. */
	current(): string | undefined;
	/** Runs a function that writes, while no other process can. */
	hold<Value>(body: (held: HeldFolder) => Value | Promise<Value>, waitMs?: number): Promise<Value>;
	/** Size of the index in use, including its write-ahead log. */
	bytes(): number;
};

/** The folder as the holder of its lock sees it: nobody else creates, replaces or deletes its files. */
export type HeldFolder = Pick<WriteLock, "note"> & {
	/** The index in use. */
	current(): HeldFile | undefined;
	/** The file for the next full build. An interrupted build continues there. */
	next(): HeldFile;
	/** Makes a complete index the one in use and deletes the others. A damaged one is kept aside, as `DAMAGED_FILE`. */
	use(file: HeldFile, damaged?: HeldFile): void;
	/** Deletes a full build that was interrupted long ago; until then it may be continued. */
	forgetBegun(): void;
};

declare const HELD: unique symbol;

/** The path of an index that may be written. Only the holder of the lock gets one, and only while it holds the lock. */
export type HeldFile = string & { readonly [HELD]: true };

export function openIndexFolder(cacheRoot: string, root: string): IndexFolder {
	const path = join(cacheRoot, "repos", repositoryId(root));
	const pointer = join(path, "current");
	let read: { readonly ino: number; readonly ctimeMs: number; readonly file: string | undefined } | undefined;
	// Called before every search. The file is only ever replaced, so one stat shows whether it changed.
	const current = (): string | undefined => {
		try {
			const { ino, ctimeMs } = statSync(pointer);
			if (read?.ino !== ino || read.ctimeMs !== ctimeMs) {
				const name = readFileSync(pointer, "utf8").trim();
				read = { ino, ctimeMs, file: INDEX_FILE.test(name) ? join(path, name) : undefined };
			}
		} catch {
			return undefined;
		}
		return read.file !== undefined && existsSync(read.file) ? read.file : undefined;
	};
	const others = (file: string): string[] =>
		readdirSync(path)
			.filter((name) => name.startsWith("index-") && !name.startsWith(basename(file)))
			.map((name) => join(path, name));
	const held = (lock: WriteLock): HeldFolder => ({
		note: lock.note,
		current: () => current() as HeldFile | undefined,
		next: () => {
			makeFolder(path, 0o700);
			const used = current();
			return join(path, `index-${used === undefined ? 1 : numberOf(used) + 1}.sqlite`) as HeldFile;
		},
		use: (file, damaged) => {
			writeFileSync(`${pointer}.new`, basename(file), { mode: 0o600, flush: true });
			renameSync(`${pointer}.new`, pointer);
			if (damaged !== undefined) keepAside(damaged, join(path, DAMAGED_FILE));
			for (const other of others(file)) rmSync(other, { force: true });
		},
		forgetBegun: () => {
			const used = current();
			const begun = used === undefined ? [] : others(used);
			const isOld = begun.every(
				(file) => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > BEGUN_MS,
			);
			if (isOld) for (const file of begun) rmSync(file, { force: true });
		},
	});
	return {
		path,
		current,
		hold: async (body, waitMs) => {
			const lock = await takeWriteLock(path, waitMs);
			try {
				return await body(held(lock));
			} finally {
				lock.release();
			}
		},
		bytes: () => {
			const file = current();
			if (file === undefined) return 0;
			return sizeOf(file) + sizeOf(`${file}-wal`);
		},
	};
}

/** Moves a damaged index with its write-ahead log, in place of the one kept before. */
function keepAside(file: string, kept: string): void {
	for (const suffix of ["", "-wal"]) {
		rmSync(kept + suffix, { force: true });
		if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
	}
}

/** The files of a folder that are an index, in use or begun. */
export function listIndexFiles(path: string): string[] {
	const names = existsSync(path) ? readdirSync(path) : [];
	return names.flatMap((name) => (INDEX_FILE.test(name) ? [join(path, name)] : []));
}

function numberOf(file: string): number {
	return Number(INDEX_FILE.exec(basename(file))?.[1] ?? 0);
}

function sizeOf(file: string): number {
	return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
