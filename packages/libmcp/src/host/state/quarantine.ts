import { statSync } from "node:fs";
import { resolve } from "node:path";
import { makeRoom } from "../../admission/boundedQueue.ts";
import type { Call } from "../worker/call.ts";
import type { WorkerCommand } from "../worker/spawnWorker.ts";

const MAX_KEPT = 16;

export type QuarantineState = {
	/** The releases that were rolled back, by their keys. */
	readonly quarantine?: readonly string[];
	/** Those of them that have been refused. */
	readonly refused?: readonly string[];
};

type Confined = { isRefused: boolean; readonly deadly: Call["sequence"] | undefined };

/**
 * Releases that were rolled back. Each is refused once: whoever asks again may have repaired a module, a package or an
 * image that its command line does not name.
 */
export class Quarantine {
	/** By each release's key. */
	readonly #releases = new Map<string, Confined>();

	get size(): number {
		return this.#releases.size;
	}

	/** `deadly` is the call that it died of, where one call is to blame. */
	add(release: string, deadly?: Call): void {
		makeRoom(this.#releases, MAX_KEPT);
		this.#releases.set(release, { isRefused: false, deadly: deadly?.sequence });
	}

	/** The release before has died of this call too, which thus says nothing against the new one; true if one is let out. */
	acquit(call: Call): boolean {
		const found = [...this.#releases].find(([, { deadly }]) => deadly === call.sequence);
		return found !== undefined && this.#releases.delete(found[0]);
	}

	/** Something that belongs to the release has changed. */
	forget(command: WorkerCommand): void {
		this.#releases.delete(computeReleaseKey(command));
	}

	/** True the first time that somebody asks for a release in quarantine; the second time lets it out. */
	refuseOnce(release: string): boolean {
		const confined = this.#releases.get(release);
		if (confined?.isRefused === false) {
			confined.isRefused = true;
			return true;
		}
		this.#releases.delete(release);
		return false;
	}

	state(): QuarantineState {
		const refused = [...this.#releases].flatMap(([release, { isRefused }]) => (isRefused ? [release] : []));
		return { quarantine: [...this.#releases.keys()], refused };
	}

	adopt({ quarantine = [], refused = [] }: QuarantineState): void {
		for (const release of quarantine) {
			this.#releases.set(release, { isRefused: refused.includes(release), deadly: undefined });
		}
	}
}

/** The command and the state of every file it names. */
export function computeReleaseKey({ command, args = [], env = {}, cwd = "" }: WorkerCommand): string {
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
