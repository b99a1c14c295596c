import type { Dictionary } from "../query/dictionary.ts";
import type { ParsedQuery } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";
import { readUnknown } from "../query/unknownWords.ts";
import type { QueryTerms } from "../rank/gatheredTerms.ts";
import { queryTerms } from "../rank/queryTerms.ts";
import type { OpenIndex } from "./openIndex.ts";

/** The terms of the query and, for words run together that the index does not have, those of their parts. */
export function widenQuery(
	query: QueryTerms,
	{ words }: ParsedQuery,
	dictionary: Dictionary,
	{ snapshot, reader }: OpenIndex,
	warnings: Warning[],
): QueryTerms {
	const count = (term: string): number =>
		snapshot.segments.reduce((sum, { id }) => sum + (reader.postings(id, term)?.count ?? 0), 0);
	const { split, suggestions } = readUnknown(words, dictionary, count);
	for (const [word, suggestion] of suggestions) {
		const message = `nothing indexed has ${JSON.stringify(word)}; did you mean ${JSON.stringify(suggestion)}?`;
		warnings.push({ code: "unknown_word", field: "query", message });
	}
	if (split.size === 0) return query;
	const more = queryTerms({ words: [...split.values()].map((parts) => parts.join("_")) }, "");
	const known = new Set(query.terms.map(({ term }) => term));
	return {
		...query,
		terms: [...query.terms, ...more.terms.filter(({ term }) => !known.has(term))],
		keywords: [...new Set([...query.keywords, ...more.keywords])],
	};
}
