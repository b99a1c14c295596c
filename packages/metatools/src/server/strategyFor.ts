import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Settings } from "../config/settings.ts";
import { isObject } from "../contract/json.ts";
import { blend } from "../search/blend/blend.ts";
import { type Embedder, hybrid } from "../search/meaning/embedderBlend.ts";
import type { SearchStrategy } from "../search/strategy.ts";
import { bm25 } from "../search/words/bm25.ts";
import { lexical } from "../search/words/lexical.ts";

/** The strategy that settings name. */
export function chooseStrategy(settings: Settings): SearchStrategy {
	const { searchStrategy, embedder, embedderWeight } = settings;
	// An embedder of one's own takes the place of the model that is shipped.
	if (searchStrategy === "blend" && embedder === "") return blend(settings);
	const words = searchStrategy === "lexical" ? lexical() : bm25(settings);
	return embedder === "" ? words : hybrid(words, () => loadEmbedder(embedder), embedderWeight);
}

async function loadEmbedder(path: string): Promise<Embedder> {
	const module: unknown = await import(pathToFileURL(resolve(path)).href);
	const embed: unknown = isObject(module) ? module.embed : undefined;
	if (!isEmbedder(embed)) throw new Error(`${path}: expected an exported function embed(texts)`);
	// Whatever is thrown at once becomes a rejection, as the type promises.
	return async (texts) => embed(texts);
}

function isEmbedder(value: unknown): value is Embedder {
	return typeof value === "function";
}
