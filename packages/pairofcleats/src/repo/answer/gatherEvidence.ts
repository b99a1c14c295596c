import {
	type ConditionContext,
	findPhraseCandidates,
	makePhrasePattern,
	type RegexOutcomes,
	verifyCandidates,
} from "../../query/conditions.ts";
import { intersectMarks, markAtLeast, uniteMarks } from "../../query/docMarks.ts";
import { dropPhrases, type ParsedQuery } from "../../query/parseQuery.ts";
import type { Warning } from "../../query/result.ts";
import type { Dictionary } from "../../query/unknownWords.ts";
import { addMentioned, findMentionedFiles, type Mentioned, type Pointed } from "../../rank/mentions/mentionedFiles.ts";
import { readMessageWords } from "../../rank/message/filledIn.ts";
import { findFilledMessage, findWrittenMessage, isMessage } from "../../rank/message/writtenOut.ts";
import type { Definitions } from "../../rank/names/definitions.ts";
import { findWrittenName, findWrittenRun, type NameEvidence, scoreDashedName } from "../../rank/names/writtenName.ts";
import type { Impacts } from "../../rank/score/impacts.ts";
import type { Scores } from "../../rank/score/scores.ts";
import { scoreLoneLetters, scoreTerms } from "../../rank/scoreTerms.ts";
import type { QueryTerms } from "../../rank/terms/gatheredTerms.ts";
import { WEIGHTS } from "../../rank/weights.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { isLoneLetter } from "../../tokens/words.ts";
import type { OpenIndex } from "../openIndex.ts";
import { findAskedDefinitions, widenQuery } from "./definitionsAsked.ts";
import { narrowDocuments } from "./narrow.ts";

/** A parsed query and the index data to search. */
export type Question = {
	readonly text: string;
	readonly asked: ParsedQuery;
	readonly terms: QueryTerms;
	readonly impacts: Impacts;
	readonly context: ConditionContext;
	readonly dictionary: Dictionary | undefined;
};

/** The evidence in the index from which the hits of a query are ranked. */
export type Gathered = {
	readonly query: QueryTerms;
	/** The query without the conditions that could not be met. */
	readonly parsed: ParsedQuery;
	readonly definitions: Definitions;
	readonly mentioned: Mentioned;
	/** Chunks that contain the query's text, and the line. */
	readonly copied: ReadonlyMap<number, Pointed>;
	/** Whether words were left out because the query has too many. */
	readonly capped: boolean;
};

/**
 * Scores the index's chunks for a query and narrows `context.allowed` to those that may be found. The steps build on
 * each other's scores, so their order is part of the ranking.
 */
export function gatherEvidence(
	index: OpenIndex,
	{ text, asked, terms, impacts, context, dictionary }: Question,
	warnings: Warning[],
): Gathered {
	const { snapshot, scores } = index;
	const { allowed, regexes } = context;
	const query = widenQuery(terms, asked, dictionary, impacts, snapshot, warnings);
	scores.clear();
	const capped = query.terms.length > 0 && scoreTerms(impacts, query, snapshot.docs, WEIGHTS, scores).capped;

	const message = isPlain(asked) ? text : asked.words.join(" ");
	const words = readMessageWords(message);
	const written = findWrittenMessage(message, words, query, impacts, scores, context);
	const filledIn = findFilledMessage(message, words, query, impacts, scores, context);
	const said = [...filledIn.keys(), ...(isMessage(words) ? written.keys() : [])];
	const parsed = narrowDocuments(asked, context, warnings, said);
	const copies = [...written, ...filledIn].filter(([doc]) => allowed[doc] === 1);

	if (parsed.selects) scoreLines(snapshot, allowed, regexes, scores, query.terms.length === 0 ? 1 : WITHOUT_WORDS);
	scoreLoneLetters(
		parsed.words,
		context,
		scores,
		query.terms.every(({ term }) => isLoneLetter(term)) ? 1 : WITHOUT_WORDS,
	);
	const definitions = findAskedDefinitions(query, index, impacts, warnings);
	if (query.asksForUses === true) leaveUsesOnly(query, definitions, context, warnings);
	const mentioned = findMentionedFiles(snapshot, query.mentions, allowed);
	if (query.shape !== "report") addMentioned(mentioned, snapshot, allowed, scores);
	const evidence = { impacts, context, scores };
	if (query.dashed !== undefined) scoreDashedName(query.dashed, query.terms, evidence);
	const literal = mentioned.files.size > 0 ? [] : literalPlaces(query, definitions, evidence);
	scores.lessenParts(query.asksForUses === true ? WITHOUT_USE : WEIGHTS.partsOnly, definitions.docs);
	matchCase(parsed, scores, context);
	return { query, parsed, definitions, mentioned, copied: new Map([...copies, ...literal]), capped };
}

/**
 * Leaves out the chunks that define a name whose uses are asked for. One that only lists the name among others stays if it
 * has the name a second time.
 */
function leaveUsesOnly(
	{ symbols }: QueryTerms,
	{ docs, lines }: Definitions,
	{ allowed, snapshot, texts }: ConditionContext,
	warnings: Warning[],
): void {
	const name = symbols.at(-1) ?? "";
	const written = new RegExp(makePhrasePattern(name, true).source, "gu");
	for (const doc of docs.keys()) {
		const isListed = lines?.has(doc) === true && [...texts.chunk(snapshot, doc).matchAll(written)].length > 1;
		if (!isListed) allowed[doc] = 0;
	}
	const message = `shown is what has the name ${JSON.stringify(name)} without defining it; the filter calls (--calls ${name}) with the query * lists what calls it, uses (--uses ${name}) what names it`;
	warnings.push({ code: "uses_by_name", field: "query", message });
}

/** Whether the query has no condition. Quoted phrases in a sentence do not count as one. */
function isPlain(asked: ParsedQuery): boolean {
	const loose = asked.condition ? dropPhrases(asked) : asked;
	return loose !== undefined && loose.condition === undefined;
}

/** Chunks that have the query exactly as written, if it has no blanks. */
function literalPlaces(
	{ run, owned, terms }: QueryTerms,
	{ docs }: Definitions,
	evidence: NameEvidence,
): Iterable<readonly [number, Pointed]> {
	if (run !== undefined) return findWrittenRun(run, terms, evidence);
	return owned !== undefined && docs.size === 0 ? findWrittenName(owned, terms, evidence) : [];
}

/** In a case-sensitive search, a chunk must have one of the plain words as written, unless a condition selects chunks. */
function matchCase(parsed: ParsedQuery, scores: Scores, context: ConditionContext): void {
	if (!context.caseSensitive || parsed.selects) return;
	const { words } = parsed;
	const having = words.map((word) => findPhraseCandidates(word, context));
	const found = intersectMarks(
		markAtLeast(scores.docs, 0),
		having.length === 0 ? context.allowed : having.reduce(uniteMarks),
	);
	const any = new RegExp(words.map((word) => makePhrasePattern(word, true).source).join("|"), "u");
	context.allowed.set(verifyCandidates(found, any, context));
}

/** What remains of a score if the query asks who uses a name, and the chunk has only parts of it. */
const WITHOUT_USE = 0.1;
/** Score of a match without any word of the query: below every match that has one. */
const WITHOUT_WORDS = 1e-6;

/** Scores the chunks that a condition selected by how many of their lines matched. */
function scoreLines(
	snapshot: Snapshot,
	allowed: Uint8Array,
	regexes: RegexOutcomes,
	scores: Scores,
	worth: number,
): void {
	for (const [number, { first, docs }] of snapshot.files.entries()) {
		let lines = 0;
		for (const { matches } of regexes.values()) lines += matches.get(number)?.lines.length ?? 0;
		const score = worth * (1 + Math.log1p(lines));
		for (let doc = first; doc < first + docs; doc++) if (allowed[doc] === 1) scores.add(doc, number, score);
	}
}
