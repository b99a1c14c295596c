import { chmodSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "./makeFolder.ts";

/** Whole or as it was. A link stays one; without `mode` the mode stays too. What stands in the way names the file. */
export function replaceFile(path: string, text: string, mode?: number): void {
	const known = statSync(path, { throwIfNoEntry: false });
	// It could be replaced all the same, but somebody wanted it to stay as it is.
	if (known !== undefined && (known.mode & 0o222) === 0)
		throw new Error(`${path}: it is read-only; chmod u+w it first`);
	const target = known === undefined ? leadsTo(path) : realpathSync(path);
	makeFolder(dirname(target), mode === undefined ? 0o777 : mode | 0o100);
	const fresh = `${target}.${process.pid}.new`;
	try {
		writeFileSync(fresh, text, { mode: 0o600, flush: true });
		if (mode === undefined && known !== undefined) chmodSync(fresh, known.mode & 0o777);
		renameSync(fresh, target);
	} catch (error) {
		rmSync(fresh, { force: true });
		throw blaming(path, error);
	}
}

/** Where a link without a file behind it will have one. */
function leadsTo(path: string): string {
	try {
		return resolve(dirname(path), readlinkSync(path));
	} catch {
		return path;
	}
}

/** The system names the file beside it, or none at all where a disk is full. */
function blaming(path: string, error: unknown): unknown {
	const [, says] = error instanceof Error ? (/^(E[A-Z]+: .+?), \w+/.exec(error.message) ?? []) : [];
	return says === undefined
		? error
		: Object.assign(new Error(`${says}, write '${path}'`, { cause: error }), codeOf(error));
}

function codeOf(error: unknown): { code?: unknown } {
	return error instanceof Error && "code" in error ? { code: error.code } : {};
}
