import { statSync } from "node:fs";
import { readCompactModel } from "./compactModel.ts";
import type { Embedder } from "./embedder.ts";
import { readModel2Vec } from "./model2vec.ts";

/** A file is our own compact table, a folder is a model in the layout of model2vec. */
export async function readModel(path: string): Promise<Embedder> {
	return statSync(path).isDirectory() ? readModel2Vec(path) : readCompactModel(path);
}
