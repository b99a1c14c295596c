import { statSync } from "node:fs";
import { resolve } from "node:path";
import { makeRoom } from "../admission/makeRoom.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";

const MAX_KEPT = 16;

/** Releases that were rolled back. The same command with unchanged files is not tried again; a repaired one is. */
export class Quarantine {
	readonly #releases: Set<string>;

	constructor(releases: Set<string>) {
		this.#releases = releases;
	}

	add(command: WorkerCommand): void {
		makeRoom(this.#releases, MAX_KEPT);
		this.#releases.add(releaseKey(command));
	}

	has(command: WorkerCommand): boolean {
		return this.#releases.has(releaseKey(command));
	}
}

/** The command and the state of every file it names. */
function releaseKey({ command, args = [], env = {}, cwd = "" }: WorkerCommand): string {
	const files = [command, ...args].map((word) => fileState(resolve(cwd, word)));
	return JSON.stringify([command, args, Object.entries(env).sort(), cwd, files]);
}

/** Null for most arguments: they are not files, and some, like an inline script, cannot even be file names. */
function fileState(path: string): readonly number[] | null {
	try {
		const found = statSync(path);
		return found.isFile() ? [found.size, found.mtimeMs, found.ino] : null;
	} catch {
		return null;
	}
}
