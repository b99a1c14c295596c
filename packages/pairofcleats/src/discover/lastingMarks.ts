import { dirname, join, resolve } from "node:path";
import { gitHomes } from "../contract/environment.ts";
import { isInsideRepository } from "../git/gitFolder.ts";
import { QUICK, runGit } from "../git/runGit.ts";
import { followLinks, isAbsent, isLocalFileSystem, type Look, lookAt } from "./looks.ts";
import { type MarkLog, TICK_MS, takeMarks } from "./treeMarks.ts";

/**
 * Takes marks by which another process can tell, even days later, that a listing is still valid: it depends only on
 * files, all of them are marked, and their file system has reliable timestamps. Otherwise `undefined`.
 */
export async function takeLastingMarks(root: string): Promise<MarkLog | undefined> {
	if (!isLocalFileSystem(root)) return undefined;
	const settings = isInsideRepository(root) ? await listSettingsFiles(root) : [];
	if (settings === undefined) return undefined;
	const now = Date.now();
	const marks = await takeMarks(root, true);
	if (marks === undefined) return undefined;
	const { device } = lookAt(root);
	for (const [path, seen] of marks) {
		const elsewhere = path.startsWith(`${root}/`) && !isAbsent(seen) && seen.device !== device;
		if (elsewhere || !isSettled(seen, now)) return undefined;
	}
	for (const path of settings.flatMap(followLinks)) {
		const seen = lookAt(path);
		if (!isSettled(seen, now)) return undefined;
		marks.set(path, seen);
	}
	return marks;
}

function isSettled({ mtimeMs }: Look, now: number): boolean {
	return Math.abs(now - mtimeMs) >= TICK_MS;
}

/**
 * The files outside a repository that affect what git ignores in it: the active settings files and the user's ignore
 * file. `undefined` if the result depends on more than files.
 */
export async function listSettingsFiles(root: string): Promise<readonly string[] | undefined> {
	const homes = gitHomes();
	if (homes === undefined) return undefined;
	const { home, config } = homes;
	let text = "";
	const outcome = await runGit(root, ["config", "--list", "--show-origin", "-z"], {
		patience: QUICK,
		onOutput: (chunk) => {
			text += chunk.toString("utf8");
		},
	});
	if (outcome.kind !== "done" || outcome.code !== 0) return undefined;
	// Includes the standard files, even if they do not exist yet.
	const files = new Set(["/etc/gitconfig", join(home, ".gitconfig"), join(config, "git", "config")]);
	let ignoreFile = join(config, "git", "ignore");
	const parts = text.split("\0");
	for (let at = 0; at + 1 < parts.length; at += 2) {
		const [origin = "", setting = ""] = [parts[at], parts[at + 1]];
		const [name = "", value = ""] = setting.split("\n", 2);
		const from = origin.startsWith("file:") ? resolve(root, origin.slice("file:".length)) : undefined;
		if (from !== undefined) files.add(from);
		if (/^includeif\./i.test(name)) return undefined;
		const place = value.replace(/^~(?=\/)/, home);
		if (/^core\.excludesfile$/i.test(name)) ignoreFile = place;
		if (!/^include\.path$/i.test(name)) continue;
		// It need not exist yet, and then git tells no settings of it.
		if (from === undefined || /^[~%]/.test(place)) return undefined;
		files.add(resolve(dirname(from), place));
	}
	return ignoreFile.startsWith("/") ? [...files, ignoreFile] : undefined;
}
