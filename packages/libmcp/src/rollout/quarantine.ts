import { statSync } from "node:fs";
import { resolve } from "node:path";
import { makeRoom } from "../admission/makeRoom.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";

const MAX_KEPT = 16;

/**
 * Releases that were rolled back. Each is refused once: whoever asks again may have repaired a module, a package or an
 * image that its command line does not name.
 */
export class Quarantine {
	readonly #releases: Set<string>;
	readonly #refused: Set<string> = new Set();

	constructor(releases: Set<string>) {
		this.#releases = releases;
	}

	add(release: string): void {
		makeRoom(this.#releases, MAX_KEPT);
		this.#releases.add(release);
		this.#refused.delete(release);
	}

	refuses(release: string): boolean {
		if (!this.#releases.has(release)) return false;
		if (this.#refused.delete(release)) {
			this.#releases.delete(release);
			return false;
		}
		makeRoom(this.#refused, MAX_KEPT);
		this.#refused.add(release);
		return true;
	}
}

/** The command and the state of every file it names. */
export function releaseKey({ command, args = [], env = {}, cwd = "" }: WorkerCommand): string {
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
