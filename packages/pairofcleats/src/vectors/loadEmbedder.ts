import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheRoot, modelPath } from "../contract/environment.ts";
import type { Embedder } from "./embedder.ts";

export type LoadedEmbedder = { readonly embedder?: Embedder; readonly problem?: string };

/**
 * Loads the embedder: the given path, else the one from the environment, else the model cache, else the one shipped
 * with the package. An unreadable model is reported as a problem, and searching continues without vectors. `known` is
 * the id of the embedder that an index was built with.
 */
export async function loadEmbedder(named: string | null | undefined, known?: string): Promise<LoadedEmbedder> {
	if (named === null) return {};
	const path =
		named ?? modelPath() ?? [join(cacheRoot(), "models", "default"), shippedModel()].find((file) => existsSync(file));
	if (path === undefined) return {};
	try {
		const { readModel } = await import("./readModel.ts");
		return { embedder: readModel(path, known) };
	} catch (error) {
		return { problem: error instanceof Error ? error.message : String(error) };
	}
}

/** In the package's `model` folder. */
function shippedModel(): string {
	return fileURLToPath(new URL("../../model/tokens.model", import.meta.url));
}
