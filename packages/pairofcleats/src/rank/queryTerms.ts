import type { ParsedQuery } from "../query/parseQuery.ts";
import { STOP_WORDS } from "../tokens/stopWords.ts";
import { UNSPACED } from "../tokens/unspaced.ts";
import { wordFamily } from "../tokens/wordFamily.ts";
import { GatheredTerms, type QueryTerm, type QueryTerms } from "./gatheredTerms.ts";
import { mentionsIn } from "./mentions.ts";
import { qualifiedNames } from "./qualifiedNames.ts";
import { reportTerms } from "./reportTerms.ts";
import { WEIGHTS } from "./weights.ts";

/** An option, a class of a style sheet, a tag, a setting, a name in Lisp. */
const DASHED = /^(?:--|[.#])?([A-Za-z]\w*(?:-[A-Za-z0-9]\w*)+)$/;
/** One identifier in any script that has spaces between words, with its owners. */
const NAME = new RegExp(
	String.raw`^(?!.*${UNSPACED})[\p{L}\p{M}\p{N}_$]+(?:(?:\.|::|#|->|/)[\p{L}\p{M}\p{N}_$!?]+)*[!?]?(?:\(\))?$`,
	"v",
);
const OWNED = /\.|::|#|->/;
/** What C++ and C# call an operator that is declared. */
const OPERATOR = /^((?:[A-Za-z_]\w*(?:::|\.))*)operator ?(\(\)|\[\]|[-+*/%^&|~!=<>,]{1,3})$/;
const NO_LANGUAGES: NonNullable<ParsedQuery["languages"]> = new Map();

/** What a query's words are looked up by, and how much each counts. */
export function queryTerms(
	{ words, languages = NO_LANGUAGES, report }: Pick<ParsedQuery, "words" | "languages" | "report">,
	query: string,
): QueryTerms {
	if (report) return reportTerms(report, query);
	const dashed = DASHED.exec(query.trim())?.[1];
	const operator = OPERATOR.exec(query.trim());
	const isName = NAME.test(query.trim()) && !/^[a-z]+\/|^\d+$/.test(query);
	const symbolic = dashed !== undefined || operator !== null || isName;
	// Whole, it meets the same name in code: `--max-depth` is read into `max_depth` or `maxDepth`.
	const kept = dashed !== undefined ? [dashed] : words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
	const gathered = new GatheredTerms();
	for (const word of kept.length === 0 ? words : kept) gathered.add(languages.get(word)?.word ?? word, 1);
	// Where a language is all that is asked for, what its name is read as is all that a text may have of it.
	if (kept.every((word) => languages.has(word))) for (const word of kept) gathered.add(word, 1);
	const terms = gathered.terms(0.5);
	return {
		terms,
		related: symbolic ? [] : relatedTerms(terms),
		symbols:
			dashed !== undefined
				? [dashed, `.${dashed}`]
				: operator !== null
					? operatorNames(operator[1] ?? "", operator[2] ?? "")
					: symbolic
						? symbolsOf(query, words)
						: [...qualifiedNames(query), ...gathered.identifiers],
		shape: symbolic ? "symbol" : "question",
		keywords: [...gathered.keywords],
		languages: new Set([...languages.values()].flatMap(({ ids }) => ids)),
		dashed,
		owned: isName && OWNED.test(query) ? query.trim().replace(/\(\)$/, "") : undefined,
		mentions: mentionsIn(query),
		asksForLines: true,
		// What is only excluded is not meant.
		meant: words.length === 0 ? "" : query,
	};
}

/** As C++ names it, with a blank or without, and as C# does. */
function operatorNames(owners: string, sign: string): string[] {
	return [`${owners}operator${sign}`, `${owners}operator ${sign}`, `${owners}${sign}`];
}

function symbolsOf(query: string, words: readonly string[]): string[] {
	return [...new Set([query.trim().replace(/\(\)$/, ""), ...words.slice(-1)])];
}

function relatedTerms(terms: readonly QueryTerm[]): QueryTerm[] {
	const known = new Set(terms.map(({ term }) => term));
	const related: QueryTerm[] = [];
	for (const { term, weight, whole } of terms) {
		if (whole) continue;
		for (const other of wordFamily(term)) {
			if (known.has(other)) continue;
			known.add(other);
			related.push({ term: other, weight: weight * WEIGHTS.related, whole });
		}
	}
	return related;
}
