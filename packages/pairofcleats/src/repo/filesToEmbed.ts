import { filesWithoutVectors } from "../index/filesWithoutVectors.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import type { OpenIndex } from "./openIndex.ts";

/** The number of files that a process without the index's model has indexed, if this one has the model. */
export async function filesToEmbed(
	{ reader, model }: Pick<OpenIndex, "reader" | "model">,
	loadModel: () => Promise<LoadedEmbedder>,
): Promise<number> {
	const files = model === "" ? 0 : filesWithoutVectors(reader, model).length;
	if (files === 0) return 0;
	const { embedder } = await loadModel();
	return embedder?.id === model ? files : 0;
}
