import { CleatsError, invalidField } from "../contract/errors.ts";
import { completeFlags, describeExpressionFault } from "../expression/expressionFault.ts";
import { splitIntoWords } from "../tokens/words.ts";
import {
	type Condition,
	ConditionParser,
	findLanguageNames,
	type LanguageNames,
	readAtom,
	readDemandedAtom,
	type Token,
} from "./conditionParser.ts";
import { isFrame, type Report, readReport } from "./report.ts";

export type ParsedQuery = {
	/** Words to rank by, as written. None of them is required. */
	readonly words: readonly string[];
	/** The words that name a language. */
	readonly languages?: LanguageNames;
	/** The condition that every hit must satisfy. */
	readonly condition?: Condition;
	/**
	 * Whether every document that satisfies the condition is a result, because the condition does more than exclude. `*`
	 * selects all documents without a condition.
	 */
	readonly selects: boolean;
	/** Present with AND or OR, which make the whole query the condition. */
	readonly strict?: true;
	/** The parts of a query that was pasted rather than composed. */
	readonly report?: Report;
};

const OPERATORS: ReadonlyMap<string, "and" | "or" | "not"> = new Map([
	["AND", "and"],
	["OR", "or"],
	["NOT", "not"],
]);
const MOST_DEPTH = 50;

/**
 * Parses a query. Plain words affect ranking but are never required; phrases, regular expressions and exclusions are
 * conditions. With AND or OR, the whole query is a condition, and adjacent words are all required. Pasted text has no
 * conditions, and marks without a word are a phrase.
 */
export function parseQuery(query: string): ParsedQuery {
	if (query.trim() === "*") return { words: [], selects: true };
	const pasted = pastedWords(query.trim());
	if (pasted.length > 0) return { words: pasted, selects: false, ...reportOf(query) };
	const tokens = tokenize(withoutValues(query));
	const paired = balanced(tokens);
	const strict = paired && tokens.some(({ kind }) => kind === "and" || kind === "or");
	const parts = strict ? [] : plainParts(tokens, paired);
	const condition = strict ? new ConditionParser(tokens).parse() : plainCondition(parts);
	const texts = [...parts.flatMap(plainText), ...(condition ? positiveTexts(condition) : [])];
	const words = texts.flatMap(splitIntoWords);
	const selects = condition !== undefined && (strict || !onlyExcludes(condition));
	// `* -test` selects everything except the exclusions.
	if (words.length === 0 && asksForAll(tokens)) return { words, selects: true, ...(condition && { condition }) };
	if (words.length === 0 && (condition === undefined || onlyExcludes(condition))) {
		const marks = onlyMarks(query, tokens);
		if (marks !== undefined) return { words, selects: true, condition: { kind: "all", of: [marks] } };
		throw invalidField("query", "at least one word, phrase or /regex/ that is not excluded", query);
	}
	const languages = findLanguageNames(texts.join(" "));
	return {
		words,
		selects,
		...(strict && { strict }),
		...(languages.size > 0 && { languages }),
		...(condition && { condition }),
	};
}

/**
 * The same query with its phrases as plain words, for a fallback when a title quotes text that no file contains.
 * `undefined` if the query is only a phrase, or uses operators.
 */
export function dropPhrases({ condition, ...parsed }: ParsedQuery): ParsedQuery | undefined {
	if (condition?.kind !== "all" || parsed.strict) return undefined;
	const quoted = wordsOfPhrases(condition.of);
	if (quoted === 0 || quoted === parsed.words.length) return undefined;
	const of = condition.of.filter(({ kind }) => kind !== "phrase");
	return {
		...parsed,
		selects: of.some(({ kind }) => kind === "regex"),
		...(of.length > 0 && { condition: { kind: "all", of } }),
	};
}

/** Whether all words of the query stand in phrases, so that a line with one of them alone is no match. */
export function hasOnlyPhrases({ condition, words, strict }: ParsedQuery): boolean {
	return condition?.kind === "all" && !strict && words.length > 0 && wordsOfPhrases(condition.of) === words.length;
}

function wordsOfPhrases(conditions: readonly Condition[]): number {
	return conditions.reduce((sum, one) => sum + (one.kind === "phrase" ? splitIntoWords(one.text).length : 0), 0);
}

/** A query with more words, or with line breaks, was pasted rather than composed. */
const MOST_COMPOSED_WORDS = 40;

const JSON_START = /^[[{]+\s*"/;

/**
 * The words of pasted text (bug report, stack trace, code, data), whose quotes, dashes and brackets are not operators.
 */
function pastedWords(text: string): string[] {
	const isLong = text.split(/\s+/, MOST_COMPOSED_WORDS + 1).length > MOST_COMPOSED_WORDS;
	return isLong || /[\n\r]/.test(text) || isFrame(text) || JSON_START.test(text) ? splitIntoWords(text) : [];
}

/** A text of only comments and addresses is not a report; all its words count equally. */
function reportOf(text: string): { report?: Report } {
	const report = readReport(text);
	return [report.title, report.said, report.shown].some((piece) => /[\p{L}\p{N}]/u.test(piece)) ? { report } : {};
}

/** A quoted setting in a sentence is not a phrase: `pool (host="db") is full, 3 wait`. */
const VALUE = /(?<=\w=)"([^"]*)"/g;
const FEWEST_ROUND_VALUE = 4;

function withoutValues(query: string): string {
	if (!query.includes('="')) return query;
	const isSentence = splitIntoWords(query.replaceAll(VALUE, " ")).length >= FEWEST_ROUND_VALUE;
	return isSentence ? query.replaceAll(VALUE, " $1 ") : query;
}

function asksForAll(tokens: readonly Token[]): boolean {
	return tokens.some((token, at) => {
		const before = tokens[at - 1]?.kind;
		return token.kind === "word" && token.text === "*" && before !== "exclude" && before !== "not";
	});
}

/** A query of marks alone, such as `=>` or `()`, can only mean what is written. */
function onlyMarks(query: string, tokens: readonly Token[]): Condition | undefined {
	const isWritten = tokens.every(({ kind }) => kind === "word" || kind === "open" || kind === "close");
	return isWritten && tokens.length > 0 ? { kind: "phrase", text: query.trim() } : undefined;
}

function tokenize(query: string): Token[] {
	const tokens: Token[] = [];
	let at = 0;
	while (at < query.length) {
		const rest = query.slice(at);
		const blank = /^\s+/.exec(rest)?.[0];
		if (blank !== undefined) {
			at += blank.length;
			continue;
		}
		const { token, length } = separates(rest, query) ? SLASH : nextToken(rest);
		if (token) tokens.push(token);
		at += length;
	}
	return tokens;
}

/** A phrase with escaped quotes in it. `"C:\dir\"` merely ends with a backslash. */
const QUOTING = /^"([^"]*\\"(?:[^"\\]|\\.){0,2000})"(?=[\s)]|$)/;
const EXPRESSION = /^\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([imsu]*)(?=[\s)]|$)/;
/** An expression, and no path, with letters after it that are flags elsewhere. */
const FOREIGN_FLAGS =
	/^\/(?=[^/]*[\\^$*+?{}|])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvxy]{1,8})(?=[\s)]|$)/;
/** A regular expression with an unclosed character class, in which `/` would not end it. */
const UNCLOSED = /^\/((?:[^\\/[\n]|\\.)*\[[^\]\n]*)\/([imsu]*)(?=\s|$)/;

/** Slashes with blanks around them, between words: `input / output / error`. */
const SPACED = /^\/\s[^/\n]*\s\/(?=\s|$)/;
const SLASH: { token: Token; length: number } = { token: { kind: "word", text: "/" }, length: 1 };

function separates(rest: string, query: string): boolean {
	const run = SPACED.exec(rest)?.[0];
	return run !== undefined && run !== query.trim();
}

function nextToken(rest: string): { token?: Token; length: number } {
	if (rest[0] === "(") return { token: { kind: "open" }, length: 1 };
	if (rest[0] === ")") return { token: { kind: "close" }, length: 1 };
	const phrase = QUOTING.exec(rest) ?? /^"([^"]*)"/.exec(rest);
	if (phrase) {
		const text = phrase[1]?.replaceAll('\\"', '"').trim() ?? "";
		return { length: phrase[0].length, ...(text !== "" && { token: { kind: "phrase", text } as const }) };
	}
	const regex = EXPRESSION.exec(rest) ?? UNCLOSED.exec(rest);
	if (regex) return { token: readRegex(regex[1] ?? "", regex[2] ?? ""), length: regex[0].length };
	const foreign = FOREIGN_FLAGS.exec(rest);
	if (foreign) throw invalidField("query", "no flags but i, m, s and u after an expression", foreign[0]);
	const glued = GLUED.exec(rest)?.[0];
	if (glued !== undefined) return { token: { kind: OPERATORS.get(glued) ?? "and" }, length: glued.length };
	if (/^-[^\s\->)]/.test(rest)) return { token: { kind: "exclude" }, length: 1 };
	const word = wordAt(rest);
	const operator = OPERATORS.get(word);
	return { token: operator ? { kind: operator } : { kind: "word", text: word }, length: word.length };
}

/** An operator before a group: `NOT(a b)`. */
const GLUED = /^(?:AND|OR|NOT)(?=\()/;

/** The word up to whitespace, a quote or an operator between groups, without the parentheses that close groups. */
function wordAt(rest: string): string {
	const run = /^[^\s"]+?(?=\)(?:AND|OR)\()|^[^\s"]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
	if (rest[run.length] === '"') return run;
	let end = run.length;
	while (end > 1 && run[end - 1] === ")") end -= 1;
	return run.slice(0, end);
}

function readRegex(source: string, given: string): Token {
	const flags = completeFlags(source, given);
	const fault = describeExpressionFault(source, flags);
	if (fault !== undefined) {
		const message = `query: expected a valid regular expression, got /${source.slice(0, 200)}/${flags}: ${fault}`;
		throw new CleatsError("INVALID_REQUEST", message, { field: "query" });
	}
	return { kind: "regex", source, flags };
}

/** Unbalanced parentheses are part of the text, not groups. */
function balanced(tokens: readonly Token[]): boolean {
	let depth = 0;
	let deepest = 0;
	for (const { kind } of tokens) {
		if (kind === "open") depth += 1;
		else if (kind === "close") depth -= 1;
		deepest = Math.max(deepest, depth);
		if (depth < 0) return false;
	}
	return depth === 0 && deepest <= MOST_DEPTH;
}

type Part = { readonly excluded: boolean; readonly is: Condition };

/** The words, phrases, regular expressions and excluded groups of a query without operators. */
function plainParts(tokens: readonly Token[], paired: boolean): Part[] {
	const parts: Part[] = [];
	for (let at = 0; at < tokens.length; at++) {
		const token = tokens[at];
		const before = tokens[at - 1]?.kind;
		const excluded = before === "exclude" || before === "not";
		if (excluded && paired && token?.kind === "open") {
			const group = new ConditionParser(tokens.slice(at));
			const is = group.parseOne();
			if (is) parts.push({ excluded, is });
			at += group.read - 1;
			continue;
		}
		const is = token && (excluded ? readDemandedAtom(token) : readAtom(token));
		if (is) parts.push({ excluded, is });
	}
	return parts;
}

/** Without operators, only phrases, regular expressions and exclusions are conditions. */
function plainCondition(parts: readonly Part[]): Condition | undefined {
	const of = parts.flatMap(({ excluded, is }): Condition[] =>
		excluded ? [{ kind: "not", of: is }] : is.kind === "word" ? [] : [is],
	);
	return of.length === 0 ? undefined : { kind: "all", of };
}

function plainText({ excluded, is }: Part): string[] {
	return !excluded && is.kind === "word" ? [is.text] : [];
}

/** The required words and phrases of a condition. */
function positiveTexts(condition: Condition): string[] {
	switch (condition.kind) {
		case "word":
		case "phrase":
			return [condition.text];
		case "all":
		case "any":
			return condition.of.flatMap(positiveTexts);
		default:
			return [];
	}
}

function onlyExcludes(condition: Condition): boolean {
	switch (condition.kind) {
		case "not":
			return true;
		case "all":
		case "any":
			return condition.of.every(onlyExcludes);
		default:
			return false;
	}
}

/** Colour codes of terminal output. The length is bounded, because a query can be any text. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;:]{0,40}[A-Za-z]`, "g");

/** Removes colour codes, which would separate a path from its line number. */
export function stripColours(text: string): string {
	return text.replaceAll(COLOUR, "");
}
