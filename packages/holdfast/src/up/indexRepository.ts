import { type BuildReport, openRepository } from "pairofcleats";
import { progressBar } from "./progressBar.ts";

/** Updates the repository's index, with a progress bar on a terminal. */
export async function indexRepository(root: string, signal: AbortSignal): Promise<BuildReport> {
	const repository = await openRepository(root);
	const bar = progressBar("indexing");
	try {
		return await repository.updateIndex({}, ({ done, total, message }) => bar.update(done, total, message), signal);
	} finally {
		bar.end();
		await repository.close();
	}
}
