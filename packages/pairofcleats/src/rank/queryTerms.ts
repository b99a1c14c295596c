import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";
import { STOP_WORDS } from "../tokens/stopWords.ts";
import { type Mentions, mentionsIn } from "./mentions.ts";

export type QueryTerm = { readonly term: string; readonly weight: number; readonly whole: boolean };

export type QueryTerms = {
	readonly terms: readonly QueryTerm[];
	/** Words as written that name a symbol: all of the query, or an identifier inside a question. */
	readonly symbols: readonly string[];
	/** `symbol` when the query is one identifier. */
	readonly shape: "symbol" | "question";
	/** Words that matter, split, not stemmed: what paths are compared with. */
	readonly keywords: readonly string[];
	/** Files that the query names, if it names any. */
	readonly mentions: Mentions | undefined;
};

const IDENTIFIER_SHAPE = /^(?:[a-z]+[A-Z]|[A-Z][a-z0-9]+[A-Z]|[A-Z]{2,}[a-z])|_[A-Za-z]|[A-Za-z]_/;

/** What a query's words are looked up by, and how much each counts. */
export function queryTerms(words: readonly string[], query: string): QueryTerms {
	const symbolic =
		/^[\w$]+(?:(?:\.|::|#|->|\/)[\w$!?]+)*[!?]?(?:\(\))?$/.test(query.trim()) && !/^[a-z]+\/|^\d+$/.test(query);
	const kept = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
	const used = kept.length === 0 ? words : kept;
	const weights = new Map<string, { weight: number; whole: boolean }>();
	const keywords = new Set<string>();
	const add = (term: string, weight: number, whole: boolean): void => {
		const known = weights.get(term);
		weights.set(term, { weight: (known?.weight ?? 0) + weight, whole: (known?.whole ?? true) && whole });
	};
	for (const word of used) {
		const parts = splitIdentifier(word);
		for (const part of parts) {
			if (parts.length > 1 && part.length < 2) continue;
			add(stem(part), 1, false);
			if (part.length > 2) keywords.add(part);
		}
		if (parts.length > 1) add(parts.join(""), 1, true);
	}
	const terms = [...weights].map(([term, { weight, whole }]) => ({ term, weight: Math.sqrt(weight), whole }));
	return {
		terms,
		symbols: symbolic
			? [...new Set([query.trim().replace(/\(\)$/, ""), ...words.slice(-1)])]
			: used.filter(isIdentifier),
		shape: symbolic ? "symbol" : "question",
		keywords: [...keywords],
		mentions: mentionsIn(query),
	};
}

function isIdentifier(word: string): boolean {
	return word.length > 2 && IDENTIFIER_SHAPE.test(word);
}
