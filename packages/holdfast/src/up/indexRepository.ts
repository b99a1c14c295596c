import { type BuildReport, openRepository, type Progress } from "pairofcleats";
import { progressBar } from "./progressBar.ts";

/** Updates the repository's index, with a progress bar on a terminal. */
export async function indexRepository(root: string, signal: AbortSignal): Promise<BuildReport> {
	const repository = await openRepository(root);
	const bar = progressBar("indexing");
	// The history is told of only once all files are indexed.
	const draw = (progress: Progress): void =>
		progress.phase === "git"
			? bar.update(1, 1, progress.message)
			: bar.update(progress.done, progress.total, progress.message);
	try {
		return await repository.updateIndex({}, draw, signal);
	} finally {
		bar.end();
		await repository.close();
	}
}
