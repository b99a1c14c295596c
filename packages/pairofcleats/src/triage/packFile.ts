import { existsSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { makeFolder } from "libmcp/command";
import { CleatsError, invalidField } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import { withPath } from "../contract/withPath.ts";
import { adoptWorkFiles, nameWorkFile } from "../files/workFiles.ts";

const FIELD = "outPath";
const WRITABLE = "a file that can be written";
/** A larger file is no pack: evidence is limited to a fraction of this. */
const LARGEST_PACK = 32 * 1024 * 1024;

/**
 * Where a pack may be written: a new file of the repository, or an earlier pack. Creates its folder and removes the
 * remains of a killed process.
 */
export function findPackTarget(root: string, outPath: string): string {
	const target = resolve(root, outPath);
	if (!target.startsWith(root + sep)) throw forbidden("a file inside the repository");
	return withPath(FIELD, WRITABLE, outPath, () => {
		let standing = dirname(target);
		while (!existsSync(standing)) standing = dirname(standing);
		// A folder on the path may be a link out of the repository. Nothing is created there either.
		const real = realpathSync(standing);
		if (!`${real}${sep}`.startsWith(root + sep)) throw forbidden("a file inside the repository");
		if ([target, real].some((path) => isOfGit(relative(root, path)))) throw forbidden("a file outside .git");
		if (!lstatSync(real).isDirectory()) throw invalidField(FIELD, WRITABLE, outPath);
		makeFolder(dirname(target));
		const folder = realpathSync(dirname(target));
		const file = join(folder, basename(target));
		refuseOtherFiles(file, outPath);
		adoptWorkFiles(folder, basename(target));
		return file;
	});
}

export function writePack(target: string, outPath: string, pack: unknown): void {
	const fresh = nameWorkFile(dirname(target), basename(target), "place");
	withPath(FIELD, WRITABLE, outPath, () => {
		try {
			writeFileSync(fresh, `${JSON.stringify(pack, null, 2)}\n`, { flag: "wx", flush: true });
			// The searches took a while, and somebody may have written there meanwhile.
			refuseOtherFiles(target, outPath);
			renameSync(fresh, target);
		} finally {
			rmSync(fresh, { force: true });
		}
	});
}

/** File systems that ignore case open `.GIT` as `.git`. */
function isOfGit(path: string): boolean {
	return path.split(sep).some((name) => name.toLowerCase() === ".git");
}

function refuseOtherFiles(target: string, outPath: string): void {
	const found = lstatSync(target, { throwIfNoEntry: false });
	if (found === undefined || (found.isFile() && found.size <= LARGEST_PACK && isPack(readFileSync(target, "utf8"))))
		return;
	throw invalidField(FIELD, "a new file, or an earlier context pack", outPath);
}

function isPack(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		if (!isObject(value) || !isObject(value.finding) || value.finding.recordType !== "finding") return false;
		return value.finding.recordId === value.recordId && Array.isArray(value.history) && Array.isArray(value.evidence);
	} catch {
		return false;
	}
}

function forbidden(expected: string): CleatsError {
	return new CleatsError("FORBIDDEN", `${FIELD}: expected ${expected}`, { field: FIELD });
}
