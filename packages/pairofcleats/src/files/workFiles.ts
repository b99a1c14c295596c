import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Name of a temporary file or folder, with the process id in it, so that two servers never share one. */
export function workFile(folder: string, name: string, kind: "fetch" | "place"): string {
	return join(folder, `.${name}.${process.pid}.${kind}`);
}

/** Cleans up after processes killed while creating `name` (or anything); partial downloads are taken over for resuming. */
export function takeOver(folder: string, name?: string): void {
	for (const found of readdirSync(folder)) {
		const [, owner, pid, kind] = /^\.(.+)\.(\d+)\.(fetch\.part|fetch|place)$/.exec(found) ?? [];
		if (owner === undefined || (name !== undefined && owner !== name)) continue;
		const isPart = kind === "fetch.part";
		// A file with our own pid from before we started belongs to an earlier process with the same pid.
		if (Number(pid) === process.pid ? isPart || name === undefined : isAlive(Number(pid))) continue;
		if (isPart) renameSync(join(folder, found), `${workFile(folder, owner, "fetch")}.part`);
		else rmSync(join(folder, found), { recursive: true, force: true });
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
