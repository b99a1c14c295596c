import type { ConditionContext } from "../query/conditions.ts";
import { countLetterPairs } from "../query/docMarks.ts";
import { isLoneLetter } from "../tokens/words.ts";
import type { Impacts } from "./score/impacts.ts";
import type { Scores } from "./score/scores.ts";
import type { QueryTerm, QueryTerms } from "./terms/gatheredTerms.ts";
import type { Weights } from "./weights.ts";

/** A paragraph has hundreds of words. The rarest find the place; the others only cost time. */
const MOST_TERMS = 28;
/** In a long query, a term that more than this share of the chunks has is ignored. */
const COMMON_SHARE = 0.3;
const LONG_QUERY_TERMS = 8;
/** A related term that more than this share of the chunks has is ignored. */
const RELATED_SHARE = 0.2;

/**
 * Scores every document that has any of the terms. `capped`: some terms were left out, because the query has too many.
 */
export function scoreTerms(
	impacts: Impacts,
	{ terms, related, shape }: Pick<QueryTerms, "terms" | "related" | "shape">,
	docs: number,
	weights: Weights,
	scores: Scores,
): { readonly capped: boolean } {
	const chosen = selective(impacts, terms, docs);
	for (const { term, weight, whole } of chosen) {
		const found = impacts.of(term);
		scores.addImpacts(found, weight * (whole ? weights.wholeWord : 1));
		if (!whole || shape !== "symbol") continue;
		for (const file of found.files) scores.whole.add(file);
		scores.wholeDocs.push(found.docs);
	}
	for (const { term, weight } of related) {
		const count = impacts.count(term);
		if (count > 0 && count < docs * RELATED_SHARE) scores.addImpacts(impacts.of(term), weight);
	}
	return { capped: terms.length > MOST_TERMS && chosen.length < terms.length };
}

function selective(impacts: Impacts, terms: readonly QueryTerm[], docs: number): QueryTerm[] {
	const present: { readonly term: QueryTerm; readonly count: number; readonly worth: number }[] = [];
	for (const term of terms) {
		const count = impacts.count(term.term);
		if (count > 0) present.push({ term, count, worth: term.weight * Math.log(1 + docs / count) });
	}
	if (present.length <= LONG_QUERY_TERMS) return present.map(({ term }) => term);
	return present
		.sort((a, b) => b.worth - a.worth || (a.term.term < b.term.term ? -1 : 1))
		.filter(({ count }, index) => index < LONG_QUERY_TERMS || count < docs * COMMON_SHARE)
		.slice(0, MOST_TERMS)
		.map(({ term }) => term);
}

/**
 * Scores chunks in which a lone letter of a script without spaces occurs inside a word, with a low `worth`: beside
 * whole words, a letter says little.
 */
export function scoreLoneLetters(
	words: readonly string[],
	context: ConditionContext,
	scores: Scores,
	worth: number,
): void {
	for (const letter of new Set(words.filter(isLoneLetter))) {
		const pairs = countLetterPairs(letter, context);
		for (const [number, { first, docs }] of context.snapshot.files.entries()) {
			for (let doc = first; doc < first + docs; doc++) {
				const count = pairs[doc] ?? 0;
				if (count > 0) scores.add(doc, number, worth * (1 + Math.log1p(count)));
			}
		}
	}
}
