import { indexUnderRepair, isCleatsError } from "../contract/errors.ts";
import type { BuildOptions, BuildReport, OnProgress } from "../index/build.ts";
import type { Warning } from "../query/result.ts";
import { isIndexDamage } from "../store/indexDamage.ts";
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

/** A file that is damaged again and again has a cause that building it once more does not mend. */
const MOST_REPAIRS = 3;

/** Has a damaged index built anew, by a child process, and says so once. */
export class Repairs {
	readonly #builds: Builds;
	readonly #damagedFile: () => string | undefined;
	readonly #stop = new AbortController();
	#running: Promise<void> | undefined;
	#begun = 0;
	#isTold: boolean = true;

	constructor(builds: Builds, damagedFile: () => string | undefined) {
		this.#builds = builds;
		this.#damagedFile = damagedFile;
	}

	/**
	 * The repair that a failure calls for: the one under way, or a new one. `undefined` if the failure is no damage, or
	 * repairs have not helped. It settles when the index may be read again, whether or not the repair succeeded.
	 */
	begin(failure: unknown): Promise<void> | undefined {
		if (!isIndexDamage(failure)) return undefined;
		if (this.#running === undefined) {
			const file = this.#damagedFile();
			if (file === undefined || this.#begun >= MOST_REPAIRS) return undefined;
			this.#begun += 1;
			this.#running = this.#repair(file).finally(() => {
				this.#running = undefined;
			});
		}
		return this.#running;
	}

	/** What to answer while the index is being built again. */
	underWay(): Error {
		return indexUnderRepair();
	}

	async #repair(file: string): Promise<void> {
		try {
			await this.#builds.repair(file, this.#stop.signal);
			this.#isTold = false;
		} catch (thrown) {
			// Another process that repairs the same file does not count as an attempt. Any other failure leaves the damage to be
			// found again.
			if (isCleatsError(thrown) && thrown.details.reason === "index_locked") this.#begun -= 1;
		}
	}

	/** A warning for the first answer after a repair. */
	takeNotice(): Warning | undefined {
		if (this.#isTold) return undefined;
		this.#isTold = true;
		const message = "the index was damaged and has been built again; the damaged file is kept beside it";
		return { code: "index_rebuilt", message };
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await this.#running;
	}
}
