import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Whole or as it was: these files hold more than we put there. A link stays one; without `mode` the mode stays too. */
export function replaceFile(path: string, text: string, mode?: number): void {
	mkdirSync(dirname(path), { recursive: true, mode: mode === undefined ? 0o777 : mode | 0o100 });
	const known = statSync(path, { throwIfNoEntry: false });
	const target = known === undefined ? path : realpathSync(path);
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
