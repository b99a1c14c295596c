import { chmodSync, mkdirSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Whole or as it was: these files hold more than we put there. A link stays one; without `mode` the mode stays too. */
export function replaceFile(path: string, text: string, mode?: number): void {
	const known = statSync(path, { throwIfNoEntry: false });
	// It could be replaced all the same, but somebody wanted it to stay as it is.
	if (known !== undefined && (known.mode & 0o222) === 0)
		throw new Error(`${path}: it is read-only; chmod u+w it first`);
	const target = known === undefined ? leadsTo(path) : realpathSync(path);
	mkdirSync(dirname(target), { recursive: true, mode: mode === undefined ? 0o777 : mode | 0o100 });
	const fresh = `${target}.${process.pid}.new`;
	try {
		writeFileSync(fresh, text, { mode: 0o600, flush: true });
		if (mode === undefined && known !== undefined) chmodSync(fresh, known.mode & 0o777);
		renameSync(fresh, target);
	} catch (error) {
		rmSync(fresh, { force: true });
		throw error;
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
