import type { Dictionary } from "../query/dictionary.ts";
import type { ParsedQuery } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";
import { readUnknown } from "../query/unknownWords.ts";
import type { QueryTerms } from "../rank/gatheredTerms.ts";
import type { Impacts } from "../rank/impacts.ts";
import { nearName } from "../rank/nearName.ts";
import { queryTerms } from "../rank/queryTerms.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { STOP_WORDS } from "../tokens/wordForms.ts";

const NO_DICTIONARY: Dictionary = { has: () => false };

/**
 * The terms of the query plus, for each word that the index lacks, the terms of the words likely meant: the parts of a
 * run-together word, or the word one letter away from a misspelt one.
 */
export function widenQuery(
	query: QueryTerms,
	{ words }: ParsedQuery,
	dictionary: Dictionary | undefined,
	impacts: Impacts,
	snapshot: Snapshot,
	warnings: Warning[],
): QueryTerms {
	if (!dictionary && !isMostlyUnknown(query, impacts, snapshot)) return query;
	const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
	const { split, suggestions } = readUnknown(telling, dictionary ?? NO_DICTIONARY, (term) => impacts.liveCount(term));
	for (const [word, meant] of suggestions) {
		const message = `nothing indexed has ${JSON.stringify(word)}; did you mean ${JSON.stringify(meant)}? It is looked for instead`;
		warnings.push({ code: "unknown_word", field: "query", message });
	}
	if (split.size === 0 && suggestions.size === 0) return query;
	const found = [...[...split.values()].map((parts) => parts.join("_")), ...suggestions.values()];
	const more = queryTerms({ words: found }, "");
	const known = new Set(query.terms.map(({ term }) => term));
	return {
		...query,
		terms: [...query.terms, ...more.terms.filter(({ term }) => !known.has(term))],
		keywords: [...new Set([...query.keywords, ...more.keywords])],
		meant: [query.meant, ...suggestions.values()].join(" "),
	};
}

/** Unknown words beside known ones are not worth the time, and for a name the nearest name is searched instead. */
function isMostlyUnknown({ terms, shape, symbols }: QueryTerms, impacts: Impacts, snapshot: Snapshot): boolean {
	if (shape === "report") return false;
	const parts = terms.filter(({ whole }) => !whole);
	const unknown = parts.filter(({ term }) => !impacts.isLive(term));
	if (unknown.length === 0 || 2 * unknown.length < parts.length) return false;
	return shape !== "symbol" || nearName(symbols.at(-1) ?? "", snapshot) === undefined;
}
