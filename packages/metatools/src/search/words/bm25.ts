import { QueryIndex } from "../queryIndex.ts";
import type { SearchStrategy } from "../strategy.ts";
import { BM25_DEFAULTS, type Bm25Options } from "./bm25Options.ts";
import { WordIndex } from "./wordIndex.ts";

/** Ranks by words alone. */
export function bm25(options: Partial<Bm25Options> = {}): SearchStrategy {
	const settings = { ...BM25_DEFAULTS, ...options };
	return {
		name: "bm25",
		build(all) {
			const documents = settings.maxDocs > 0 ? all.slice(0, settings.maxDocs) : all;
			const words = new WordIndex(documents, settings);
			return new QueryIndex(documents, (query) => ({ scores: scaledScores(words, query) }), words.parts.known);
		},
	};
}

/** Divided by the geometric mean of the query's weight and its best score, so that no query crowds out another. */
function scaledScores(words: WordIndex, query: string): Float64Array {
	const { scores, mass } = words.score(query);
	const scale = Math.sqrt(mass * scores.reduce((best, score) => Math.max(best, score), 0));
	return scale > 0 ? scores.map((score) => score / scale) : scores;
}
