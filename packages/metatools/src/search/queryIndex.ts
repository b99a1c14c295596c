import { byScore, type Hit, type SearchDocument, type SearchIndex } from "./strategy.ts";
import { Spelling } from "./text/spelling.ts";
import { asksForTools, saysNothing, tellingWords } from "./text/words.ts";

/** Above every score of a ranking, which are at most about 1. */
const EXACT_NAME = 1_000;

/** What is said of all documents for one query, in their order. */
export type Ranking = {
	/** 0 for a document that does not fit, the best about 1. */
	readonly scores: ArrayLike<number>;
	readonly fits?: ArrayLike<number>;
	needOf?(document: number): string | undefined;
};

/**
 * What every ranking shares: a tool called by its exact name comes first, each of several queries counts alike, a
 * query for tools in general finds all, and one that finds nothing is read as what it nearly says.
 */
export class QueryIndex implements SearchIndex {
	readonly #ids: readonly string[];
	readonly #names: ReadonlyMap<string, readonly number[]>;
	readonly #rank: (query: string) => Ranking;
	/** The words that occur in the documents. */
	readonly #words: Iterable<string>;
	#spelling: Spelling | undefined;

	constructor(documents: readonly SearchDocument[], rank: (query: string) => Ranking, words: Iterable<string>) {
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
		const [first = [], ...others] = queries.map((query) => this.#hitsFor(query, queries.length > 1));
		if (others.length === 0) return first.sort(byScore);
		const best = new Map<string, Hit>();
		for (const hits of [first, ...others])
			for (const hit of hits) if (hit.score > (best.get(hit.id)?.score ?? 0)) best.set(hit.id, hit);
		return [...best.values()].sort(byScore);
	}

	#hitsFor(query: string, isOneOfSeveral: boolean): Hit[] {
		const { scores, fits, needOf } = this.#rank(query);
		const named = new Set(this.#names.get(query.trim().toLowerCase()));
		const hits: Hit[] = [];
		for (const [document, id] of this.#ids.entries()) {
			const score = named.has(document) ? EXACT_NAME : (scores[document] ?? 0);
			if (score <= 0) continue;
			const fit = fits && (named.has(document) ? 1 : (fits[document] ?? 0));
			const need = isOneOfSeveral ? query : needOf?.(document);
			hits.push({ id, score, ...(fit !== undefined && { fit }), ...(need !== undefined && { need }) });
		}
		return hits;
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
