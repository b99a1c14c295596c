import { setTimeout as wait } from "node:timers/promises";
import { CleatsError } from "../contract/errors.ts";
import type { BuildReport, Repository } from "../repo/repository.ts";
import { progressBar } from "./progressBar.ts";
import type { Terminal } from "./terminal.ts";

/** To look is cheap; to ask for the build takes a process. */
const LOOK_MS = 250;
const ASK_AGAIN_MS = 3_000;

/** Makes the index that is not there; one that another process is making is waited for. */
export async function firstBuild(repository: Repository, terminal: Terminal): Promise<BuildReport | undefined> {
	const bar = progressBar(terminal);
	try {
		while (!repository.indexed()) {
			try {
				return await repository.updateIndex({}, bar.onProgress, terminal.interrupted);
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
