import { setTimeout as delay } from "node:timers/promises";
import { type BuildReport, openRepository, type Progress, type Repository, toCleatsError } from "pairofcleats";
import type { IndexJob } from "../api/indexJob.ts";

const TURN_MS = 1_000;

/** Updates the repository's index as the given job. */
export function indexRepository(root: string, job: IndexJob, signal: AbortSignal): Promise<BuildReport> {
	return job.run(async (onProgress, stopped) => {
		const repository = await openRepository(root);
		// The history is told of only once all files are indexed.
		const tell = (progress: Progress): void => {
			const { message } = progress;
			if (progress.phase === "git") onProgress({ progress: 1, total: 1, message });
			else onProgress({ progress: progress.done, total: progress.total, message });
		};
		try {
			return await inTurn(repository, tell, AbortSignal.any([signal, stopped]));
		} finally {
			await repository.close();
		}
	});
}

/** Waits while another process writes the index, as every agent in a repository may start a gateway of its own. */
async function inTurn(
	repository: Repository,
	tell: (progress: Progress) => void,
	signal: AbortSignal,
): Promise<BuildReport> {
	for (;;) {
		try {
			return await repository.updateIndex({}, tell, signal);
		} catch (thrown) {
			if (toCleatsError(thrown).details.reason !== "index_locked") throw thrown;
		}
		await delay(TURN_MS, undefined, { signal });
	}
}
