import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A file or folder in the making; its name says which process makes it, so that two servers do not share one. */
export function workFile(folder: string, name: string, kind: "fetch" | "place"): string {
	return join(folder, `.${name}.${process.pid}.${kind}`);
}

/** Clears up after processes that were killed: this asset's part is taken over, so that its fetch goes on; what is no part goes. */
export function takeOver(folder: string, name: string): void {
	for (const found of readdirSync(folder)) {
		const [, owner, pid, kind] = /^\.(.+)\.(\d+)\.(fetch\.part|fetch|place)$/.exec(found) ?? [];
		if (kind === undefined || isAlive(Number(pid))) continue;
		if (kind !== "fetch.part") rmSync(join(folder, found), { recursive: true, force: true });
		else if (owner === name) renameSync(join(folder, found), `${workFile(folder, name, "fetch")}.part`);
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
