import { filesWithoutVectors } from "../index/filesWithoutVectors.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import type { OpenIndex } from "./openIndex.ts";

/** The number of files that were indexed without a model, if this process has the index's, or one and the index none. */
export async function filesToEmbed(
	{ reader, model }: Pick<OpenIndex, "reader" | "model">,
	loadModel: () => Promise<LoadedEmbedder>,
): Promise<number> {
	// Counting goes over every file, which a repository that does without a model need not do at each question.
	if (model === "" && (await loadModel()).embedder === undefined) return 0;
	const files = filesWithoutVectors(reader, model).length;
	if (files === 0) return 0;
	const { embedder } = await loadModel();
	return model === "" || embedder?.id === model ? files : 0;
}
