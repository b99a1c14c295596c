import { readFileSync, statSync } from "node:fs";
import type { Embedder } from "./embedder.ts";
import { readModel2Vec } from "./model2vec.ts";
import { readTokenTable } from "./tokenTable.ts";

/** A file is a token table of our own, a folder is a model in the layout of model2vec. */
export function readModel(path: string, known?: string): Embedder {
	return statSync(path).isDirectory() ? readModel2Vec(path) : readTokenTable(readFileSync(path), known);
}
