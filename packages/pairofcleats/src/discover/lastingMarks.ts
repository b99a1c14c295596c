import { gitSettings } from "./gitSettings.ts";
import { insideRepository } from "./insideRepository.ts";
import { linkSteps } from "./linkSteps.ts";
import { isLocalFileSystem } from "./localFileSystem.ts";
import { isAbsent, type Look, lookAt } from "./looks.ts";
import { type MarkLog, TICK_MS, takeMarks } from "./treeMarks.ts";

/**
 * Takes marks by which another process can tell, even days later, that a listing is still valid: it depends only on
 * files, all of them are marked, and their file system has reliable timestamps. Otherwise `undefined`.
 */
export async function takeLastingMarks(root: string): Promise<MarkLog | undefined> {
	if (!isLocalFileSystem(root)) return undefined;
	const settings = insideRepository(root) ? await gitSettings(root) : [];
	if (settings === undefined) return undefined;
	const now = Date.now();
	const marks = await takeMarks(root, true);
	if (marks === undefined) return undefined;
	const { device } = lookAt(root);
	for (const [path, seen] of marks) {
		const elsewhere = path.startsWith(`${root}/`) && !isAbsent(seen) && seen.device !== device;
		if (elsewhere || !isSettled(seen, now)) return undefined;
	}
	for (const path of settings.flatMap(linkSteps)) {
		const seen = lookAt(path);
		if (!isSettled(seen, now)) return undefined;
		marks.set(path, seen);
	}
	return marks;
}

function isSettled({ mtimeMs }: Look, now: number): boolean {
	return Math.abs(now - mtimeMs) >= TICK_MS;
}
