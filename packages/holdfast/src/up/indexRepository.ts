import { type BuildReport, openRepository, type Progress } from "pairofcleats";
import type { IndexJob } from "../api/indexJob.ts";

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
			return await repository.updateIndex({}, tell, AbortSignal.any([signal, stopped]));
		} finally {
			await repository.close();
		}
	});
}
