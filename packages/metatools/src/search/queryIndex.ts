import { byScore, type Hit, type SearchDocument, type SearchIndex } from "./strategy.ts";
import { Spelling } from "./text/spelling.ts";
import { asksForTools, saysNothing, tellingWords } from "./text/words.ts";

/** Above every score of a ranking, which are at most about 1. */
const EXACT_NAME = 1_000;

/** Scores of all documents for one query, in their order: 0 for one that does not fit, the best about 1. */
export type QueryRanking = (query: string) => ArrayLike<number>;

/**
 * What every ranking shares: a tool called by its exact name comes first, each of several queries counts alike, a
 * query for tools in general finds all, and one that finds nothing is read as what it nearly says.
 */
export class QueryIndex implements SearchIndex {
	readonly #ids: readonly string[];
	readonly #names: ReadonlyMap<string, readonly number[]>;
	readonly #rank: QueryRanking;
	/** The words that occur in the documents. */
	readonly #words: Iterable<string>;
	#spelling: Spelling | undefined;

	constructor(documents: readonly SearchDocument[], rank: QueryRanking, words: Iterable<string>) {
		this.#ids = documents.map((document) => document.id);
		this.#names = exactNames(documents);
		this.#rank = rank;
		this.#words = words;
	}

	search(queries: readonly string[]): readonly Hit[] {
		const hits = this.#ranked(queries);
		const isNamed = (hits[0]?.score ?? 0) >= EXACT_NAME;
		const asksForAll = !isNamed && queries.every(asksForTools);
		if (hits.length > 0 && !asksForAll) return hits;
		if (asksForAll || queries.every(saysNothing)) return this.#ids.map((id) => ({ id, score: 1 })).sort(byScore);
		return this.#ranked(queries.map((query) => this.#respelled(query)));
	}

	#ranked(queries: readonly string[]): readonly Hit[] {
		const best = new Float64Array(this.#ids.length);
		for (const query of queries) {
			const scores = this.#rank(query);
			for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, scores[at] ?? 0);
			for (const document of this.#names.get(query.trim().toLowerCase()) ?? []) best[document] = EXACT_NAME;
		}
		const hits: Hit[] = [];
		for (const [document, score] of best.entries()) if (score > 0) hits.push({ id: this.#ids[document] ?? "", score });
		return hits.sort(byScore);
	}

	#respelled(query: string): string {
		this.#spelling ??= new Spelling([...this.#names.keys()], this.#words);
		return this.#spelling.corrected(tellingWords(query)).join(" ");
	}
}

function exactNames(documents: readonly SearchDocument[]): Map<string, number[]> {
	const names = new Map<string, number[]>();
	for (const [index, { id, name, declaredName = name }] of documents.entries()) {
		for (const key of new Set([id, name, declaredName].map((one) => one.toLowerCase()))) {
			const known = names.get(key);
			if (known === undefined) names.set(key, [index]);
			else known.push(index);
		}
	}
	return names;
}
