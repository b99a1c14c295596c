import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolder } from "libmcp/command";
import { repositoryId } from "../contract/repositoryId.ts";

const INDEX_FILE = /^index-(\d+)\.sqlite$/;

/**
 * The folder of one repository's index. A rebuilt index is a new file; `current` names the file in use and is replaced
 * atomically, so a reader sees either the old index or the new one.
 */
export type IndexFolder = {
	readonly path: string;
	/** The index in use. */
	current(): string | undefined;
	/** The file for the next full build. An interrupted build continues there. */
	next(): string;
	/** Makes a complete index the one in use and deletes the others. */
	use(file: string): void;
	/** Size of the index in use, including its write-ahead log. */
	bytes(): number;
};

export function indexFolder(cacheRoot: string, root: string): IndexFolder {
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
	return {
		path,
		current,
		next: () => {
			makeFolder(path, 0o700);
			const used = current();
			return join(path, `index-${used === undefined ? 1 : numberOf(used) + 1}.sqlite`);
		},
		use: (file) => {
			writeFileSync(`${pointer}.new`, basename(file), { mode: 0o600, flush: true });
			renameSync(`${pointer}.new`, pointer);
			for (const name of readdirSync(path)) {
				if (name.startsWith("index-") && !name.startsWith(basename(file))) rmSync(join(path, name), { force: true });
			}
		},
		bytes: () => {
			const file = current();
			if (file === undefined) return 0;
			return sizeOf(file) + sizeOf(`${file}-wal`);
		},
	};
}

/** The files of a folder that are an index, in use or begun. */
export function indexFilesIn(path: string): string[] {
	const names = existsSync(path) ? readdirSync(path) : [];
	return names.flatMap((name) => (INDEX_FILE.test(name) ? [join(path, name)] : []));
}

function numberOf(file: string): number {
	return Number(INDEX_FILE.exec(basename(file))?.[1] ?? 0);
}

function sizeOf(file: string): number {
	return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
