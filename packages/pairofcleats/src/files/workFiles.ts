import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A file or folder in the making; its name says which process makes it, so that two servers do not share one. */
export function workFile(folder: string, name: string, kind: "fetch" | "place"): string {
	return join(folder, `.${name}.${process.pid}.${kind}`);
}

/** Clears up after processes that were killed while they made `name`, or anything at all: what they had of a fetch is gone on with. */
export function takeOver(folder: string, name?: string): void {
	for (const found of readdirSync(folder)) {
		const [, owner, pid, kind] = /^\.(.+)\.(\d+)\.(fetch\.part|fetch|place)$/.exec(found) ?? [];
		if (owner === undefined || (name !== undefined && owner !== name)) continue;
		const isPart = kind === "fetch.part";
		// What bears this process's own number before it has begun is of one that had the number before.
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
