import { BM25_DEFAULTS, type Bm25Options } from "./bm25Options.ts";
import { intents } from "./intents.ts";
import { SYNONYMS } from "./lexicon.ts";
import { Spelling } from "./spelling.ts";
import { stem } from "./stem.ts";
import { byScore, type Hit, type SearchDocument, type SearchIndex, type SearchStrategy } from "./strategy.ts";
import { WordParts } from "./wordParts.ts";
import { asksForTools, saysNothing, tellingWords } from "./words.ts";

const K1 = 1.2;
const LENGTH_PENALTY = 0.6;
const SYNONYM_WEIGHT = 0.75;
const PART_WEIGHT = 0.45;
const DEPRECATED_WEIGHT = 0.6;
const EXACT_NAME = 1_000;
const NOWHERE: Postings = { documents: [], weights: [] };

// The documents a term occurs in, with its saturated weight in each.
type Postings = { readonly documents: number[]; readonly weights: number[] };

/** BM25 over weighted fields (BM25F), with synonyms and word parts at a discount. */
export function bm25(options: Partial<Bm25Options> = {}): SearchStrategy {
	const settings = { ...BM25_DEFAULTS, ...options };
	return { name: "bm25", build: (documents) => new Bm25Index(documents, settings) };
}

class Bm25Index implements SearchIndex {
	readonly #ids: readonly string[];
	readonly #names: ReadonlyMap<string, readonly number[]>;
	readonly #weights: readonly number[];
	readonly #postings = new Map<string, Postings>();
	readonly #parts = new WordParts();
	#spelling: Spelling | undefined;

	constructor(all: readonly SearchDocument[], options: Bm25Options) {
		const documents = options.maxDocs > 0 ? all.slice(0, options.maxDocs) : all;
		this.#ids = documents.map((document) => document.id);
		this.#names = exactNames(documents);
		this.#weights = documents.map((document) => (isDeprecated(document) ? DEPRECATED_WEIGHT : 1));
		const fields = documents.map((document) => fieldsOf(document, options));
		for (const own of fields) for (const { words } of own) for (const word of words) this.#parts.add(word);
		const averages = averageLengths(fields);
		for (const [document, own] of fields.entries()) this.#add(document, own, averages);
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
		const best = new Map<number, number>();
		const scratch = new Float64Array(this.#ids.length);
		const keep = (document: number, score: number) => {
			if (score > (best.get(document) ?? 0)) best.set(document, score);
		};
		for (const query of queries) {
			for (const intent of intents(query)) {
				const { scores, mass } = this.#score(intent, scratch);
				let highest = 0;
				for (const score of scores.values()) highest = Math.max(highest, score);
				// Geometric mean of the intent's weight and its best match, so that no intent crowds out another.
				const scale = Math.sqrt(mass * highest);
				for (const [document, score] of scores) keep(document, (score * (this.#weights[document] ?? 1)) / scale);
			}
			for (const document of this.#names.get(query.trim().toLowerCase()) ?? []) keep(document, EXACT_NAME);
		}
		return [...best].map(([document, score]): Hit => ({ id: this.#ids[document] ?? "", score })).sort(byScore);
	}

	#respelled(query: string): string {
		this.#spelling ??= new Spelling([...this.#names.keys()], this.#parts.known);
		return this.#spelling.corrected(tellingWords(query)).join(" ");
	}

	#add(document: number, fields: readonly Field[], averages: readonly number[]): void {
		const weights = new Map<string, number>();
		for (const [index, { boost, words }] of fields.entries()) {
			const length = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * words.length) / (averages[index] || 1);
			for (const term of words.map(stem)) weights.set(term, (weights.get(term) ?? 0) + boost / length);
		}
		for (const [term, weight] of weights) {
			const postings = this.#postings.get(term) ?? { documents: [], weights: [] };
			this.#postings.set(term, postings);
			postings.documents.push(document);
			postings.weights.push((weight * (K1 + 1)) / (weight + K1));
		}
	}

	/** `best` is a scratch array of zeros, one per document; it is zeroed again before returning. */
	#score(query: string, best: Float64Array): { scores: Map<number, number>; mass: number } {
		const scores = new Map<number, number>();
		let mass = 0;
		for (const wish of wishes(query)) {
			// A rare synonym must not weigh more than the common word that was asked for.
			const own = Math.min(...[...wish.keys()].map((term) => this.#idf(term)));
			mass += own * (K1 + 1);
			const found: number[] = [];
			for (const [variant, discount] of this.#variants(wish)) {
				const worth = discount * Math.min(own, this.#idf(variant));
				const { documents, weights } = this.#postings.get(variant) ?? NOWHERE;
				for (let at = 0; at < documents.length; at++) {
					const document = documents[at] ?? 0;
					const value = worth * (weights[at] ?? 0);
					const before = best[document] ?? 0;
					if (before === 0) found.push(document);
					if (value > before) best[document] = value;
				}
			}
			for (const document of found) {
				scores.set(document, (scores.get(document) ?? 0) + (best[document] ?? 0));
				best[document] = 0;
			}
		}
		return { scores, mass };
	}

	#idf(term: string): number {
		const found = this.#postings.get(term)?.documents.length ?? 0;
		return Math.log(1 + (this.#ids.length - found + 0.5) / (found + 0.5));
	}

	#variants(wish: Wish): Map<string, number> {
		const variants = new Map<string, number>();
		for (const [term, word] of wish) {
			// A word that no tool uses may contain, or be part of, one that some tool does.
			if (!this.#postings.has(term)) for (const part of this.#parts.of(word)) variants.set(stem(part), PART_WEIGHT);
			for (const synonym of SYNONYMS.get(term) ?? []) variants.set(synonym, SYNONYM_WEIGHT);
		}
		for (const term of wish.keys()) variants.set(term, 1);
		return variants;
	}
}

/** Query words with one meaning: from each stem to its word. */
type Wish = ReadonlyMap<string, string>;

/** Adjacent synonyms, as in "source code", count as one thing asked for, not two. */
function wishes(query: string): Wish[] {
	const all: Map<string, string>[] = [];
	for (const [term, word] of new Map(tellingWords(query).map((word) => [stem(word), word]))) {
		const last = all.at(-1);
		const synonyms = SYNONYMS.get(term) ?? [];
		if (last !== undefined && synonyms.some((synonym) => last.has(synonym))) last.set(term, word);
		else all.push(new Map([[term, word]]));
	}
	return all;
}

/** Whether the server itself says to use another tool. */
function isDeprecated({ description, tags }: SearchDocument): boolean {
	return DEPRECATED.test(description) || tags.includes("deprecated");
}

// In lower case the word may be the tool's subject, unless the text begins with it.
const DEPRECATED = /\bDEPRECATED\b|^\W*[Dd]eprecated\b/;

type Field = { readonly boost: number; readonly words: readonly string[] };

function fieldsOf(document: SearchDocument, options: Bm25Options): Field[] {
	const text =
		options.maxDocTextLength > 0 ? document.description.slice(0, options.maxDocTextLength) : document.description;
	const headline = /^.*?[.!?](?=\s|$)|^.*$/s.exec(text.trim().split("\n")[0] ?? "")?.[0] ?? "";
	const parameters = document.parameters.map(({ name, description }) => `${name} ${description}`).join(" ");
	const capped = options.maxDocTextLength > 0 ? parameters.slice(0, options.maxDocTextLength) : parameters;
	const texts: readonly (readonly [boost: number, text: string])[] = [
		[options.nameBoost, `${document.name} ${document.declaredName ?? ""}`],
		[options.namespaceBoost, document.namespace],
		[options.tagsBoost, document.tags.join(" ")],
		[options.headlineBoost, headline],
		[options.descriptionBoost, text.slice(headline.length)],
		[options.parametersBoost, capped],
		[options.serverBoost, document.server],
	];
	return texts.map(([boost, text]) => ({ boost, words: tellingWords(text) }));
}

function averageLengths(documents: readonly (readonly Field[])[]): number[] {
	const sums: number[] = [];
	for (const fields of documents)
		for (const [index, field] of fields.entries()) sums[index] = (sums[index] ?? 0) + field.words.length;
	return sums.map((sum) => sum / documents.length);
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
