import type { BuildOptions, BuildReport, OnProgress } from "../index/build.ts";
import type { BuildJob } from "./buildChild.ts";

/** Runs the builds and updates of one repository in child processes, and counts those under way. */
export class Builds {
	readonly #job: Omit<BuildJob, "kind" | "options">;
	readonly #onDone: () => void;
	#running = 0;

	constructor(job: Omit<BuildJob, "kind" | "options">, onDone: () => void) {
		this.#job = job;
		this.#onDone = onDone;
	}

	get underWay(): boolean {
		return this.#running > 0;
	}

	async run(
		kind: BuildJob["kind"],
		options: BuildOptions = {},
		onProgress?: OnProgress,
		signal?: AbortSignal,
	): Promise<BuildReport> {
		this.#running += 1;
		try {
			const { buildInChild } = await import("./buildChild.ts");
			const report = await buildInChild({ ...this.#job, kind, options }, onProgress, signal);
			this.#onDone();
			return report;
		} finally {
			this.#running -= 1;
		}
	}
}
