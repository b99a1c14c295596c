import type { SearchDocument } from "../strategy.ts";
import { clausesOf } from "../text/clauses.ts";
import { SYNONYMS } from "../text/lexicon.ts";
import { stem } from "../text/stem.ts";
import { WordParts } from "../text/wordParts.ts";
import type { Bm25Options } from "./bm25Options.ts";
import { averageLengths, type Field, fieldsOf } from "./documentFields.ts";
import { type Wish, wishesOf } from "./wishes.ts";

const K1 = 1.6;
const SYNONYM_WEIGHT = 0.75;
/** A long task says itself what it means: its words' synonyms count less the more words there are. */
const FULL_SYNONYMS = 6;
const PART_WEIGHT = 0.45;
/** What the best clause of a task adds to the score of the whole. */
const CLAUSE_SHARE = 0.6;
const DEPRECATED_WEIGHT = 0.6;
const NOWHERE: Postings = { documents: [], weights: [] };

// The documents a term occurs in, with its saturated weight in each.
type Postings = { readonly documents: number[]; readonly weights: number[] };

/** How well each document fits by its words, and what a document with every word would reach. */
export type WordScores = { readonly scores: Float64Array; readonly mass: number };

/** Scores of a whole task, and those of each of its clauses. */
export type TaskScores = WordScores & { readonly clauses: readonly (WordScores & { readonly text: string })[] };

/** BM25 over weighted fields (BM25F), with synonyms and word parts at a discount. */
export class WordIndex {
	readonly parts = new WordParts();
	readonly #size: number;
	readonly #weights: readonly number[];
	readonly #postings = new Map<string, Postings>();

	constructor(documents: readonly SearchDocument[], options: Bm25Options) {
		this.#size = documents.length;
		this.#weights = documents.map((document) => (isDeprecated(document) ? DEPRECATED_WEIGHT : 1));
		const fields = documents.map((document) => fieldsOf(document, options));
		for (const own of fields)
			for (const { parts } of own) for (const { words } of parts) for (const word of words) this.parts.add(word);
		const averages = averageLengths(fields);
		for (const [document, own] of fields.entries()) this.#add(document, own, averages);
	}

	/** Scores the whole task and adds a share of its best clause, so that each of several needs brings up its tools. */
	score(task: string): TaskScores {
		const scratch = new Float64Array(this.#size);
		const { scores, mass } = this.#scoreText(task, scratch);
		const clauses = clausesOf(task).map((text) => ({ text, ...this.#scoreText(text, scratch) }));
		for (let at = 0; at < this.#size; at++) {
			let best = 0;
			for (const part of clauses) best = Math.max(best, (part.scores[at] ?? 0) * Math.sqrt(part.mass / mass));
			scores[at] = ((scores[at] ?? 0) + CLAUSE_SHARE * best) * (this.#weights[at] ?? 1);
		}
		return { scores, mass, clauses };
	}

	#add(document: number, fields: readonly Field[], averages: readonly number[]): void {
		const weights = new Map<string, number>();
		for (const [index, { lengthPenalty, length, parts }] of fields.entries()) {
			const relative = 1 - lengthPenalty + (lengthPenalty * length) / (averages[index] || 1);
			for (const { boost, words } of parts)
				for (const term of words.map(stem)) weights.set(term, (weights.get(term) ?? 0) + boost / relative);
		}
		for (const [term, weight] of weights) {
			const postings = this.#postings.get(term) ?? { documents: [], weights: [] };
			this.#postings.set(term, postings);
			postings.documents.push(document);
			postings.weights.push((weight * (K1 + 1)) / (weight + K1));
		}
	}

	/** `best` is a scratch array of zeros, one per document; it is zeroed again before returning. */
	#scoreText(text: string, best: Float64Array): WordScores {
		const scores = new Float64Array(this.#size);
		const wishes = wishesOf(text);
		const synonymWeight = SYNONYM_WEIGHT * Math.min(1, FULL_SYNONYMS / wishes.length);
		let mass = 0;
		for (const wish of wishes) {
			// A rare synonym must not weigh more than the common word that was asked for.
			const own = Math.min(...[...wish.keys()].map((term) => this.#idf(term)));
			mass += own * (K1 + 1);
			const found: number[] = [];
			for (const [variant, discount] of this.#variants(wish, synonymWeight)) {
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
				scores[document] = (scores[document] ?? 0) + (best[document] ?? 0);
				best[document] = 0;
			}
		}
		return { scores, mass };
	}

	#idf(term: string): number {
		const found = this.#postings.get(term)?.documents.length ?? 0;
		return Math.log(1 + (this.#size - found + 0.5) / (found + 0.5));
	}

	#variants(wish: Wish, synonymWeight: number): Map<string, number> {
		const variants = new Map<string, number>();
		for (const [term, word] of wish) {
			// A word that no tool uses may contain, or be part of, one that some tool does.
			if (!this.#postings.has(term)) for (const part of this.parts.of(word)) variants.set(stem(part), PART_WEIGHT);
			for (const synonym of SYNONYMS.get(term) ?? []) variants.set(synonym, synonymWeight);
		}
		for (const term of wish.keys()) variants.set(term, 1);
		return variants;
	}
}

/** Whether the server itself says to use another tool. */
function isDeprecated({ description, tags }: SearchDocument): boolean {
	return DEPRECATED.test(description) || tags.includes("deprecated");
}

// In lower case the word may be the tool's subject, unless the text begins with it.
const DEPRECATED = /\bDEPRECATED\b|^\W*[Dd]eprecated\b/;
