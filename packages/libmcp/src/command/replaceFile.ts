import {
	chmodSync,
	readdirSync,
	readlinkSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readErrorCode } from "../fault/thrown.ts";
import { isAlive } from "../process/ownProcess.ts";
import { makeFolder } from "./folders.ts";

/** A younger one may belong to a process of another machine or container, whose id tells nothing here. */
const LEFT_MS = 60_000;

/**
 * Replaces a file atomically. Links stay links; without `mode` the mode is kept. Errors name the file. `look` is called
 * at the last moment, with the new text on the disk, and stops the change by throwing.
 */
export function replaceFile(path: string, text: string, mode?: number, look?: () => void): void {
	const known = statSync(path, { throwIfNoEntry: false });
	// Renaming would replace a read-only file too, but somebody made it read-only on purpose.
	if (known !== undefined && (known.mode & 0o222) === 0)
		throw new Error(`${path}: it is read-only; chmod u+w it first`);
	const target = known === undefined ? leadsTo(path) : realpathSync(path);
	makeFolder(dirname(target), mode === undefined ? 0o777 : mode | 0o100);
	const fresh = `${target}.${process.pid}.new`;
	try {
		writeFileSync(fresh, text, { mode: 0o600, flush: true });
		if (mode === undefined && known !== undefined) chmodSync(fresh, known.mode & 0o777);
		look?.();
		renameSync(fresh, target);
	} catch (error) {
		rmSync(fresh, { force: true });
		throw errorNaming(path, error);
	}
	removeLeft(target);
}

/** Deletes what processes that were killed while they replaced the file have left; it may hold the file's secrets. */
function removeLeft(target: string): void {
	const [folder, start] = [dirname(target), `${basename(target)}.`];
	try {
		for (const name of readdirSync(folder)) {
			const pid = name.startsWith(start) ? /^(\d+)\.new$/.exec(name.slice(start.length))?.[1] : undefined;
			if (pid === undefined || isAlive(Number(pid))) continue;
			const left = join(folder, name);
			if (Date.now() - statSync(left).mtimeMs > LEFT_MS) rmSync(left);
		}
	} catch {
		// The file is replaced all the same; the next time may do better.
	}
}

/** Follows a dangling link to the place where the file will be created. */
function leadsTo(path: string): string {
	try {
		return resolve(dirname(path), readlinkSync(path));
	} catch {
		return path;
	}
}

/** The system's error names the temporary file, or no file when the disk is full; name the real one. */
function errorNaming(path: string, error: unknown): unknown {
	const [, says] = error instanceof Error ? (/^(E[A-Z]+: .+?), \w+/.exec(error.message) ?? []) : [];
	return says === undefined
		? error
		: Object.assign(new Error(`${says}, write '${path}'`, { cause: error }), { code: readErrorCode(error) });
}

/** Only what is missing is absent. What cannot be read is an error, because it must not look like nothing. */
export function readIfPresent<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (readErrorCode(error) === "ENOENT") return undefined;
		throw error;
	}
}
