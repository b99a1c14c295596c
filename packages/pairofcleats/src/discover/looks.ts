import { constants, lstatSync, readlinkSync, type Stats, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The stat data of many paths in one array, `WIDTH` numbers per path. */
export type Looks = Float64Array;

/** Numbers per look. */
export const WIDTH = 6;
/** Mode of a path that does not exist, and of one that cannot be read. */
const ABSENT = 0;
const SHUT = -1;

export type Look = {
	readonly mode: number;
	readonly bytes: number;
	readonly mtimeMs: number;
	readonly ctimeMs: number;
	readonly inode: number;
	readonly device: number;
};

export function packLooks(looks: readonly Look[]): Looks {
	const packed = new Float64Array(looks.length * WIDTH);
	for (const [place, { mode, bytes, mtimeMs, ctimeMs, inode, device }] of looks.entries()) {
		packed.set([mode, bytes, mtimeMs, ctimeMs, inode, device], place * WIDTH);
	}
	return packed;
}

export function looksTheSame(path: string, looks: Looks, place: number): boolean {
	const stat = statOf(path);
	const at = place * WIDTH;
	if (typeof stat === "number") return looks[at] === stat;
	return (
		looks[at + 2] === stat.mtimeMs &&
		looks[at + 3] === stat.ctimeMs &&
		looks[at + 1] === stat.size &&
		looks[at + 4] === stat.ino &&
		looks[at + 5] === stat.dev &&
		looks[at] === stat.mode
	);
}

export function lookAt(path: string): Look {
	const stat = statOf(path);
	if (typeof stat === "number") return { mode: stat, bytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0, device: 0 };
	const { mode, size, mtimeMs, ctimeMs, ino, dev } = stat;
	return { mode, bytes: size, mtimeMs, ctimeMs, inode: ino, device: dev };
}

export function isFolderAt(looks: Looks, place: number): boolean {
	return isFolder({ mode: looks[place * WIDTH] ?? ABSENT });
}

export function isFolder({ mode }: Pick<Look, "mode">): boolean {
	return (mode & constants.S_IFMT) === constants.S_IFDIR;
}

export function isAbsent({ mode }: Look): boolean {
	return mode === ABSENT;
}

export function isShut({ mode }: Look): boolean {
	return mode === SHUT;
}

const QUIETLY = { throwIfNoEntry: false } as const;

function statOf(path: string): Stats | typeof ABSENT | typeof SHUT {
	try {
		return lstatSync(path, QUIETLY) ?? ABSENT;
	} catch {
		return SHUT;
	}
}

/** A longer chain of links is a cycle. */
const MOST_STEPS = 16;

/** A path and, if it is a symbolic link, everything that it leads through: whoever keeps settings elsewhere edits those. */
export function followLinks(path: string): readonly string[] {
	const steps = [path];
	for (let at = path; steps.length < MOST_STEPS; steps.push(at)) {
		const target = linkTarget(at);
		if (target === undefined) break;
		at = resolve(dirname(at), target);
	}
	return steps;
}

function linkTarget(path: string): string | undefined {
	try {
		return readlinkSync(path);
	} catch {
		return undefined; // No link.
	}
}

/** File system type numbers of Linux and macOS. */
const LOCAL: ReadonlySet<number> = new Set([
	...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e],
	...[0x11, 0x1a],
]);

/** Whether a folder's file system is known to update folder timestamps and to notify watchers. */
export function isLocalFileSystem(folder: string): boolean {
	return LOCAL.has(statfsSync(folder).type);
}
