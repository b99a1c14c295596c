import type { RegexRunner } from "../expression/regexSearch.ts";
import type { FilterContext } from "../filter/filterContext.ts";
import { applyFilters } from "../filter/filters.ts";
import { type ConditionContext, phrasePattern, phrasesIn, type RegexLines, verified } from "../query/conditions.ts";
import type { Dictionary } from "../query/dictionary.ts";
import { withAtLeast } from "../query/docMarks.ts";
import { type ParsedQuery, parseQuery, withoutPhrases } from "../query/parseQuery.ts";
import { DEFAULT_TOP } from "../query/readRequest.ts";
import type { SearchRequest } from "../query/request.ts";
import type { Hit, HitMode, SearchResult, Warning } from "../query/result.ts";
import { uncoloured } from "../query/uncoloured.ts";
import { addLetters } from "../rank/loneLetters.ts";
import { meaningOf } from "../rank/meaning.ts";
import { mentionedFiles } from "../rank/mentionedFiles.ts";
import { messageWords } from "../rank/messageWords.ts";
import { queryTerms } from "../rank/queryTerms.ts";
import { rankHits } from "../rank/rankHits.ts";
import type { Scores } from "../rank/scores.ts";
import { scoreTerms } from "../rank/scoreTerms.ts";
import { WEIGHTS } from "../rank/weights.ts";
import { addDashed, writtenOwned } from "../rank/writtenName.ts";
import { isMessage, writtenOut, writtenWithValues } from "../rank/writtenOut.ts";
import { MODES } from "../segment/columns.ts";
import { modesOf, type Snapshot } from "../store/snapshot.ts";
import { isLoneLetter } from "../tokens/unspaced.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import { definitionsAsked } from "./definitionsAsked.ts";
import { embedderFor } from "./embedderFor.ts";
import { foldTwins } from "./foldTwins.ts";
import { makeHits } from "./makeHits.ts";
import { narrow } from "./narrow.ts";
import type { OpenIndex } from "./openIndex.ts";
import { runExpressions, TEXT_BUDGET_MS } from "./runExpressions.ts";
import { Timings } from "./timings.ts";
import { widenQuery } from "./widenQuery.ts";

export type SearchTools = {
	readonly regexes: RegexRunner;
	readonly model: LoadedEmbedder;
	readonly dictionary?: Dictionary;
	readonly checkedAt: string;
};

/** Thrown when the index changed while a search was under way; the caller starts it again on the new one. */
export class GenerationChanged extends Error {}

/** Answers one checked request from one open index. */
export async function searchIndex(
	index: OpenIndex,
	request: SearchRequest,
	tools: SearchTools,
	signal?: AbortSignal,
): Promise<SearchResult> {
	const timings = new Timings();
	const warnings: Warning[] = [];
	const { snapshot, reader } = index;
	const mode = request.mode ?? "both";
	const modes = [...modesOf(mode)].map((name) => MODES.indexOf(name));
	const text = uncoloured(request.query);
	const asked = parseQuery(text);
	const terms = queryTerms(asked, text);
	timings.end("parse");

	const counted = index.documents(modes);
	const allowed = counted.slice();
	const filterContext: FilterContext = {
		snapshot,
		reader,
		allowed,
		git: () => index.git(),
		warn: (warning) => warnings.push(warning),
		nowMs: Date.now(),
	};
	await applyFilters(request, filterContext, tools.regexes);
	const regexLines = await runExpressions(asked, index, allowed, tools.regexes, warnings, signal);
	signal?.throwIfAborted();
	timings.end("filter");

	return reader.read(() => {
		if (reader.generation() !== snapshot.generation) throw new GenerationChanged();
		const context: ConditionContext = {
			snapshot,
			reader,
			texts: index.texts,
			allowed,
			caseSensitive: request.case === true || request.caseTokens === true,
			regexLines,
			spent: { capped: false, untilMs: performance.now() + TEXT_BUDGET_MS },
		};
		const impacts = index.impacts(modes);
		const query = widenQuery(terms, asked, tools.dictionary, impacts, snapshot, warnings);
		const { scores } = index;
		scores.clear();
		const capped = query.terms.length > 0 && scoreTerms(impacts, query, snapshot.docs, WEIGHTS, scores).capped;
		const message = isPlain(asked) ? text : asked.words.join(" ");
		const words = messageWords(message);
		const written = writtenOut(words, query, impacts, scores, context);
		const filledIn = writtenWithValues(message, words, query, impacts, scores, context);
		const said = [...filledIn.keys(), ...(isMessage(words) ? written.keys() : [])];
		const parsed = narrow(asked, context, warnings, said);
		const copies = [...written, ...filledIn].filter(([doc]) => allowed[doc] === 1);
		if (parsed.selects) scoreLines(snapshot, allowed, regexLines, scores, query.terms.length === 0 ? 1 : WITHOUT_WORDS);
		addLetters(parsed.words, context, scores, query.terms.every(({ term }) => isLoneLetter(term)) ? 1 : WITHOUT_WORDS);
		const definitions = definitionsAsked(query, index, impacts, warnings);
		const mentioned = mentionedFiles(snapshot, query.mentions, allowed);
		const evidence = { impacts, context, scores };
		if (query.dashed !== undefined) addDashed(query.dashed, query.terms, evidence);
		const isUndeclared = definitions.docs.size === 0 && mentioned.files.size === 0;
		const owned = isUndeclared && query.owned !== undefined ? writtenOwned(query.owned, query.terms, evidence) : [];
		const copied = new Map([...copies, ...owned]);
		matchCase(parsed, scores, context);
		timings.end("score");

		const { offset = 0, top = DEFAULT_TOP } = request;
		const embedder = embedderFor(request, index, tools.model, warnings);
		const meaning = embedder && meaningOf(index, embedder, query.meant);
		const ranking = rankHits({
			snapshot,
			scores,
			allowed,
			query,
			definitions,
			mentioned,
			copied,
			meaning,
			weights: WEIGHTS,
		});
		const page = foldTwins(ranking, snapshot, offset, top);
		timings.end("rank");

		if (ranking.byMeaningAlone && ranking.matches > 0) {
			const isFiltered = counted.some((one, doc) => one !== allowed[doc]);
			const where = isFiltered ? "nothing that the filters let through" : "nothing indexed";
			const message = `${where} has these words; what is nearest in meaning is shown`;
			warnings.push({ code: "unknown_word", field: "query", message });
		}
		if (capped && query.terms.length > 28) {
			warnings.push({ code: "query_capped", message: "the query is long: only its most selective words were used" });
		}
		if (context.spent.capped) {
			warnings.push({
				code: "candidates_capped",
				message: "the text of some candidates was not read in time; narrow the query",
			});
		}
		const phrases = parsed.condition ? phrasesIn(parsed.condition, context.caseSensitive) : [];
		const marks = { regexLines, phrases, pointed: new Map([...copied, ...mentioned.docs]) };
		const hits = makeHits(index, request, query, definitions, page.hits, marks, warnings);
		timings.end("snippet");
		return {
			query: request.query,
			mode,
			hits,
			byMode: placesByMode(hits),
			totals: { matches: ranking.matches, files: ranking.files, searched: impacts.averages.docs },
			offset,
			hasMore: page.hasMore,
			timings: timings.get(),
			warnings,
			checkedAt: tools.checkedAt,
		};
	});
}

/** With case, a chunk must have one of the plain words just as it is written, unless a condition says what is found. */
function matchCase(parsed: ParsedQuery, scores: Scores, context: ConditionContext): void {
	if (!context.caseSensitive || parsed.selects) return;
	const found = withAtLeast(scores.docs, 0);
	const any = new RegExp(parsed.words.map((word) => phrasePattern(word, true).source).join("|"), "u");
	context.allowed.set(verified(found, any, context));
}

/** What a match without any word of the query is worth: less than any with one. */
const WITHOUT_WORDS = 1e-6;

/** Every chunk that a condition let through and that has no word to rank it by counts by its matched lines. */
function scoreLines(
	snapshot: Snapshot,
	allowed: Uint8Array,
	regexLines: RegexLines,
	scores: Scores,
	worth: number,
): void {
	for (const [number, { first, docs }] of snapshot.files.entries()) {
		let lines = 0;
		for (const byFile of regexLines.values()) lines += byFile.get(number)?.length ?? 0;
		const score = worth * (1 + Math.log1p(lines));
		for (let doc = first; doc < first + docs; doc++) if (allowed[doc] === 1) scores.add(doc, number, score);
	}
}

function placesByMode(hits: readonly Hit[]): SearchResult["byMode"] {
	const places: Partial<Record<HitMode, number[]>> = {};
	for (const [place, { mode }] of hits.entries()) places[mode] = [...(places[mode] ?? []), place];
	return places;
}

/** Nothing in it is a condition, unless it may be quotes in a sentence. */
function isPlain(asked: ParsedQuery): boolean {
	const loose = asked.condition ? withoutPhrases(asked) : asked;
	return loose !== undefined && loose.condition === undefined;
}
