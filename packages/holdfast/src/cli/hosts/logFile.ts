import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ifPresent } from "libmcp/command";
import { rotatedFiles } from "libmcp/control";

/** Where reading stopped: after the last whole line, in the file of this inode. */
export type LogPlace = { readonly inode: number; readonly at: number };

export type LogRead = {
	readonly lines: readonly string[];
	/** A last line that is still being written, or was never finished. */
	readonly unfinished: string;
	readonly place: LogPlace;
};

/** Reads a log, or `undefined` if there is none; it may be rotated at any moment. */
export function readLog(path: string, from?: LogPlace): LogRead | undefined {
	const fd = opened(path);
	if (fd === undefined) return undefined;
	try {
		const { size, ino: inode } = fstatSync(fd);
		// A shortened file is read from its start.
		const start = from?.inode === inode && from.at <= size ? from.at : 0;
		const bytes = Buffer.alloc(size - start);
		const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start));
		const end = read.lastIndexOf("\n") + 1;
		return {
			lines: linesOf(read.subarray(0, end)),
			unfinished: read.subarray(end).toString(),
			place: { inode, at: start + end },
		};
	} finally {
		closeSync(fd);
	}
}

/** The lines of the files that a log was renamed to, newest file first; `read` is the log as it was read. */
export function* readOlderLines(path: string, read: LogRead): Generator<string[]> {
	for (const file of rotatedFiles(path).reverse()) {
		// It may have been renamed since it was read.
		if (inodeOf(file) === read.place.inode) continue;
		const bytes = wholeFile(file);
		if (bytes !== undefined) yield linesOf(bytes);
	}
}

const POLL_MS = 500;

/** Continues after `from`, also through files that were renamed; `onGap` is told when some of them are gone. */
export async function followLog(
	path: string,
	from: LogPlace,
	show: (lines: readonly string[]) => void,
	onGap: () => void,
): Promise<never> {
	let place = from;
	for (;;) {
		await delay(POLL_MS);
		const read = readLog(path, place);
		if (read === undefined) continue;
		if (read.place.inode !== place.inode) {
			const missed = linesBetween(path, place, read.place.inode);
			if (missed === undefined) onGap();
			else show(missed);
		}
		show(read.lines);
		place = read.place;
	}
}

/** What was added to the file of `from` after it, and to those after that; `undefined` if one of them is gone. */
function linesBetween(path: string, from: LogPlace, now: number): string[] | undefined {
	const files = rotatedFiles(path).map((file) => ({ file, inode: inodeOf(file) }));
	const first = files.findIndex(({ inode }) => inode === from.inode);
	if (first === -1) return undefined;
	const end = files.findIndex(({ inode }) => inode === now);
	const read = files.slice(first, end === -1 ? undefined : end).map(({ file }) => wholeFile(file));
	if (!read.every((bytes) => bytes !== undefined)) return undefined;
	return read.flatMap((bytes, index) => linesOf(bytes.subarray(index === 0 ? from.at : 0)));
}

/** `undefined` if the file is gone: whoever writes the log deletes its oldest part at any moment. */
function wholeFile(path: string): Buffer | undefined {
	const fd = opened(path);
	if (fd === undefined) return undefined;
	try {
		return readFileSync(fd);
	} finally {
		closeSync(fd);
	}
}

function linesOf(bytes: Buffer): string[] {
	return bytes.toString().split("\n").filter(Boolean);
}

function inodeOf(file: string): number | undefined {
	return statSync(file, { throwIfNoEntry: false })?.ino;
}

function opened(path: string): number | undefined {
	return ifPresent(() => openSync(path, "r"));
}
