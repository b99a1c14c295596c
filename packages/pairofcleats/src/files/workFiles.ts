import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "libmcp/command";

/** Path of a temporary file or folder; includes the process id, so that two processes never share one. */
export function nameWorkFile(folder: string, name: string, kind: "fetch" | "place"): string {
	return join(folder, `.${name}.${process.pid}.${kind}`);
}

/**
 * Cleans up after processes that were killed while creating `name` (or anything); adopts their partial downloads for
 * resuming.
 */
export function adoptWorkFiles(folder: string, name?: string): void {
	for (const found of readdirSync(folder)) {
		const [, owner, pid, kind] = /^\.(.+)\.(\d+)\.(fetch\.part|fetch|place)$/.exec(found) ?? [];
		if (owner === undefined || (name !== undefined && owner !== name)) continue;
		const isPart = kind === "fetch.part";
		// A file with our own pid that we did not create was left by an earlier process with the same pid.
		if (Number(pid) === process.pid ? isPart || name === undefined : isAlive(Number(pid))) continue;
		if (isPart) renameSync(join(folder, found), `${nameWorkFile(folder, owner, "fetch")}.part`);
		else rmSync(join(folder, found), { recursive: true, force: true });
	}
}
