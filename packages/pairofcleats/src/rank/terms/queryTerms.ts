import type { ParsedQuery } from "../../query/parseQuery.ts";
import { listWordFamily, STOP_WORDS } from "../../tokens/wordForms.ts";
import { UNSPACED } from "../../tokens/words.ts";
import { readMentions } from "../mentions/mentions.ts";
import { WEIGHTS } from "../weights.ts";
import { findQualifiedNames, GatheredTerms, type QueryTerm, type QueryTerms } from "./gatheredTerms.ts";
import { readReportTerms } from "./reportTerms.ts";

/** A command-line option, a CSS class, a tag, a setting, a name in Lisp. */
const DASHED = /^(?:--|[.#])?([A-Za-z]\w*(?:-[A-Za-z0-9]\w*)+)$/;
/** One identifier, possibly with its owners, in any script that puts spaces between words. */
const NAME = new RegExp(
	String.raw`^(?!.*${UNSPACED})[\p{L}\p{M}\p{N}_$]+(?:(?:\.|::|#|->|/|\\)[\p{L}\p{M}\p{N}_$!?]+)*[!?]?(?:\(\))?$`,
	"v",
);
const OWNED = /\.|::|#|->|\\/;
const OWNERS = new RegExp(OWNED, "g");
/** Erlang and Elixir name a function with its arity: `Repo.one!/2`. */
const ARITY = /^([\p{L}\p{N}_.:]*[\p{L}_][!?]?)\/\d{1,3}$/u;
/** Words joined by punctuation without blanks, such as a route or a media type. Parentheses would make it a call. */
const RUN = /^(?=.{3,200}$)[^\s()"'`\\]+$/;
const MARKED = /[\p{L}\p{N}_][/:={}%@<>,;+|]+[\p{L}\p{N}_]/u;
/** An operator's name in C++ and C#. */
const OPERATOR = /^((?:[A-Za-z_]\w*(?:::|\.))*)operator ?(\(\)|\[\]|[-+*/%^&|~!=<>,]{1,3})$/;
/** Names of more words are rarely asked for word by word. */
const MOST_SPELLED = 4;
/** Each is looked up in the index. */
const MOST_MEMBERS = 12;
const PLAIN_WORD = /^[\p{L}\p{N}]+$/u;
const NO_LANGUAGES: NonNullable<ParsedQuery["languages"]> = new Map();

type AskedWords = Pick<ParsedQuery, "words" | "languages" | "report" | "condition">;

/** The terms to look up for a query, with their weights. */
export function readQueryTerms(
	{ words, languages = NO_LANGUAGES, report, condition }: AskedWords,
	query: string,
): QueryTerms {
	if (report) return readReportTerms(report, query);
	const arity = ARITY.exec(query.trim());
	if (arity) return readQueryTerms({ words: words.slice(0, -1), languages }, arity[1] ?? "");
	const dashed = DASHED.exec(query.trim())?.[1];
	const operator = OPERATOR.exec(query.trim());
	const isName = NAME.test(query.trim()) && !/^[a-z]+[/\\]|^\d+$/.test(query);
	const symbolic = dashed !== undefined || operator !== null || isName;
	// Kept whole, `--max-depth` matches `max_depth` and `maxDepth` in code.
	const kept = dashed !== undefined ? [dashed] : words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
	const gathered = new GatheredTerms();
	for (const word of kept.length === 0 ? words : kept) gathered.add(languages.get(word)?.word ?? word, 1);
	// If the query is only a language, its name as written must be searched too: a text may have nothing else of it.
	if (kept.every((word) => languages.has(word))) for (const word of kept) gathered.add(word, 1);
	const terms = gathered.terms(0.5);
	const spelled = symbolic || gathered.identifiers.size > 0 ? [] : spelledNames(kept);
	return {
		terms,
		related: symbolic ? [] : relatedTerms(terms),
		symbols: symbolic ? listSymbols(query, words, dashed, operator) : listNames(query, gathered.identifiers, spelled),
		isSpelled: spelled.length > 0,
		shape: symbolic ? "symbol" : "question",
		keywords: [...gathered.keywords],
		languages: new Set([...languages.values()].flatMap(({ ids }) => ids)),
		dashed,
		owned: isName && OWNED.test(query) ? query.trim().replace(/\(\)$/, "") : undefined,
		run: !symbolic && !condition && isRun(query.trim()) ? query.trim() : undefined,
		mentions: readMentions(query),
		asksForLines: true,
		file: /^\S+$/.test(query.trim()) ? query.trim() : undefined,
		// Excluded words are not what the user means.
		meant: words.length === 0 ? "" : query,
	};
}

/** The names that a query of one name stands for. */
function listSymbols(
	query: string,
	words: readonly string[],
	dashed: string | undefined,
	operator: RegExpExecArray | null,
): string[] {
	if (dashed !== undefined) return [dashed, `.${dashed}`];
	return operator === null ? symbolsOf(query, words) : operatorNames(operator[1] ?? "", operator[2] ?? "");
}

/** The names that a question may have among its words. */
function listNames(query: string, identifiers: ReadonlySet<string>, spelled: readonly string[]): string[] {
	return [...findQualifiedNames(query), ...memberNames(identifiers), ...identifiers, ...spelled];
}

function isRun(query: string): boolean {
	return RUN.test(query) && MARKED.test(query);
}

/** In C++ with or without a blank, in C# the sign alone. */
function operatorNames(owners: string, sign: string): string[] {
	return [`${owners}operator${sign}`, `${owners}operator ${sign}`, `${owners}${sign}`];
}

/**
 * The name, the same without its sigil, and with fewer owners, since a module is rarely part of what is declared, and
 * its last word.
 */
function symbolsOf(query: string, words: readonly string[]): string[] {
	const name = query.trim().replace(/\(\)$/, "");
	const shorter = [...name.matchAll(OWNERS)].map(({ index, 0: { length } }) => name.slice(index + length));
	const bare = name.replace(/^\$(?=\w)/, "");
	return [...new Set([name, bare, ...shorter, ...words.slice(-1)])];
}

/** Two identifiers may be an owner and its member: `how SessionStore uses create_model`. */
function memberNames(identifiers: ReadonlySet<string>): string[] {
	const owners = [...identifiers].filter((name) => /^\p{Lu}/u.test(name));
	const names = owners.flatMap((owner) => [...identifiers].map((member) => `${owner}.${member}`));
	return names.slice(0, MOST_MEMBERS);
}

/** A few plain words may be a name written out: `parse duration` for ParseDuration or parse_duration. */
function spelledNames(words: readonly string[]): string[] {
	if (words.length < 2 || words.length > MOST_SPELLED || !words.every((word) => PLAIN_WORD.test(word))) return [];
	return [words.join(""), words.join("_")];
}

function relatedTerms(terms: readonly QueryTerm[]): QueryTerm[] {
	const known = new Set(terms.map(({ term }) => term));
	const related: QueryTerm[] = [];
	for (const { term, weight, whole } of terms) {
		if (whole) continue;
		for (const other of listWordFamily(term)) {
			if (known.has(other)) continue;
			known.add(other);
			related.push({ term: other, weight: weight * WEIGHTS.related, whole });
		}
	}
	return related;
}
