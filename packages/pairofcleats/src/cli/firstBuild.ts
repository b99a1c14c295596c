import { setTimeout as wait } from "node:timers/promises";
import { CleatsError } from "../contract/errors.ts";
import type { BuildReport } from "../index/build.ts";
import type { Repository } from "../repo/repository.ts";
import { progressBar } from "./progressBar.ts";
import { type Terminal, warn } from "./terminal.ts";

/** How often to check whether the other process has finished; checking is cheap, starting a build is not. */
const LOOK_MS = 250;
const ASK_AGAIN_MS = 3_000;

/** Builds a missing index and tells what it lacks, or waits for another process that is building it. */
export async function firstBuild(repository: Repository, terminal: Terminal): Promise<BuildReport | undefined> {
	const bar = progressBar(terminal);
	try {
		while (!repository.indexed()) {
			try {
				bar.begin();
				const report = await repository.updateIndex({}, bar.onProgress, terminal.interrupted);
				bar.clear();
				for (const message of report.warnings) warn(terminal, message);
				return report;
			} catch (error) {
				if (!(error instanceof CleatsError && error.details.reason === "index_locked")) throw error;
				terminal.status("another process is making the index");
				for (let waited = 0; waited < ASK_AGAIN_MS && !repository.indexed(); waited += LOOK_MS)
					await wait(LOOK_MS, undefined, { signal: terminal.interrupted });
			}
		}
		return undefined;
	} finally {
		bar.clear();
	}
}
