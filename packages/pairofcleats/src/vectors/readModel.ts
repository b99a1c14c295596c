import { readFileSync, statSync } from "node:fs";
import type { Embedder } from "./embedder.ts";
import { readModel2Vec } from "./model2vec.ts";
import { readTokenTable } from "./tokenTable.ts";

/** Reads a model: a file is our own token table, a folder is in the layout of model2vec. */
export function readModel(path: string, known?: string): Embedder {
	return statSync(path).isDirectory() ? readModel2Vec(path) : readTokenTable(readFileSync(path), known);
}
