import type { BuildOptions, BuildReport, OnProgress } from "../index/build.ts";
import type { BuildJob } from "./buildChild.ts";

/** Runs the builds and updates of one repository in child processes, and counts those under way. */
export class Builds {
	readonly #job: Omit<BuildJob, "kind" | "options" | "damaged">;
	readonly #onDone: () => void;
	#running = 0;

	constructor(job: Omit<BuildJob, "kind" | "options" | "damaged">, onDone: () => void) {
		this.#job = job;
		this.#onDone = onDone;
	}

	get underWay(): boolean {
		return this.#running > 0;
	}

	run(
		kind: "build" | "update",
		options: BuildOptions = {},
		onProgress?: OnProgress,
		signal?: AbortSignal,
	): Promise<BuildReport> {
		return this.#start({ ...this.#job, kind, options }, onProgress, signal);
	}

	/** Builds the index anew if the file in use is still this one, which is damaged. */
	repair(damaged: string, signal: AbortSignal): Promise<BuildReport> {
		return this.#start({ ...this.#job, kind: "repair", options: {}, damaged }, undefined, signal);
	}

	async #start(job: BuildJob, onProgress?: OnProgress, signal?: AbortSignal): Promise<BuildReport> {
		this.#running += 1;
		try {
			const { buildInChild } = await import("./buildChild.ts");
			const report = await buildInChild(job, onProgress, signal);
			this.#onDone();
			return report;
		} finally {
			this.#running -= 1;
		}
	}
}
