import type { RegexRunner } from "../expression/regexSearch.ts";
import { factPhrases } from "../filter/factPhrases.ts";
import type { FilterContext } from "../filter/filterContext.ts";
import { applyFilters } from "../filter/filters.ts";
import { SEARCH_DEFAULTS } from "../query/arguments.ts";
import { type ConditionContext, phrasesIn } from "../query/conditions.ts";
import type { Dictionary } from "../query/dictionary.ts";
import { onlyPhrases, parseQuery } from "../query/parseQuery.ts";
import type { SearchRequest } from "../query/request.ts";
import type { Hit, HitMode, SearchResult, Warning } from "../query/result.ts";
import { uncoloured } from "../query/uncoloured.ts";
import { type AskedDeclaration, declarationAsked } from "../rank/declarationAsked.ts";
import { isDeclared, isListed } from "../rank/definitions.ts";
import type { Impacts } from "../rank/impacts.ts";
import { meaningOf } from "../rank/meaning.ts";
import { withNamedRecords } from "../rank/mentionedFiles.ts";
import { queryTerms } from "../rank/queryTerms.ts";
import { rankHits } from "../rank/rankHits.ts";
import { usageAsked } from "../rank/usageAsked.ts";
import { WEIGHTS } from "../rank/weights.ts";
import { MODES } from "../segment/columns.ts";
import { GenerationChanged } from "../store/generationChanged.ts";
import { modesOf } from "../store/snapshot.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import { embedderFor } from "./embedderFor.ts";
import { foldTwins } from "./foldTwins.ts";
import { type Gathered, gatherEvidence } from "./gatherEvidence.ts";
import { type Marks, makeHits } from "./makeHits.ts";
import type { OpenIndex } from "./openIndex.ts";
import { runExpressions, TEXT_BUDGET_MS } from "./runExpressions.ts";
import { Timings } from "./timings.ts";

export type SearchTools = {
	readonly regexes: RegexRunner;
	readonly model: LoadedEmbedder;
	readonly dictionary?: Dictionary;
	readonly checkedAt: string;
};

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
	const mode = request.mode ?? SEARCH_DEFAULTS.mode;
	const modes = [...modesOf(mode)].map((name) => MODES.indexOf(name));
	const written = uncoloured(request.query);
	const declaration = declarationIn(written, index, index.impacts(modes));
	const used = declaration ? undefined : usageAsked(written);
	const text = declaration?.name ?? used ?? written;
	const asked = parseQuery(text);
	const terms = { ...queryTerms(asked, text), kinds: declaration?.kinds, asksForUses: used !== undefined };
	timings.end("parse");

	const inModes = index.documents(modes);
	const counted = request.mode === undefined ? withNamedRecords(inModes, snapshot, terms.mentions) : inModes;
	const allowed = await filtered(counted, index, request, tools.regexes, warnings);
	const regexes = await runExpressions(asked, index, allowed, tools.regexes, warnings, signal);
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
			regexes,
			spent: { capped: false, untilMs: performance.now() + TEXT_BUDGET_MS },
		};
		const impacts = index.impacts(modes);
		const question = { text, asked, terms, impacts, context, dictionary: tools.dictionary };
		const gathered = gatherEvidence(index, question, warnings);
		const { query, definitions, mentioned, copied } = gathered;
		timings.end("score");

		const { offset = 0, top = SEARCH_DEFAULTS.top } = request;
		const embedder = embedderFor(request, index, tools.model, warnings);
		const meaning = embedder && meaningOf(index, embedder, query.meant);
		const evidence = { snapshot, scores: index.scores, allowed, query, definitions, mentioned, copied, meaning };
		const ranking = rankHits({ ...evidence, weights: WEIGHTS });
		const page = foldTwins(ranking, snapshot, offset, top);
		timings.end("rank");

		if (ranking.byMeaningAlone && ranking.matches > 0) {
			const isFiltered = counted.some((one, doc) => one !== allowed[doc]);
			warnings.push(onlyNearInMeaning(isFiltered));
		}
		if (gathered.capped) warnings.push(QUERY_CAPPED);
		if (context.spent.capped) warnings.push(CANDIDATES_CAPPED);
		const marks = marksOf(request, gathered, context);
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

/** The declaration that the query asks for in words, if there is one of that name. */
function declarationIn(
	query: string,
	{ snapshot, reader, texts }: OpenIndex,
	impacts: Impacts,
): AskedDeclaration | undefined {
	const asked = declarationAsked(query);
	if (!asked) return undefined;
	return isDeclared(snapshot, reader, asked) || isListed(asked, { snapshot, reader, texts, impacts })
		? asked
		: undefined;
}

/** The documents that the filters of a request let through. */
async function filtered(
	counted: Uint8Array,
	index: OpenIndex,
	request: SearchRequest,
	regexes: RegexRunner,
	warnings: Warning[],
): Promise<Uint8Array> {
	const { snapshot, reader } = index;
	const allowed = counted.slice();
	const context: FilterContext = {
		snapshot,
		reader,
		allowed,
		git: () => index.git(),
		warn: (warning) => warnings.push(warning),
		nowMs: Date.now(),
	};
	await applyFilters(request, context, regexes);
	return allowed;
}

/** The line that the query points to comes before the line of a definition. */
function marksOf(
	request: SearchRequest,
	{ parsed, definitions, mentioned, copied }: Gathered,
	{ regexes, caseSensitive }: ConditionContext,
): Marks {
	const written = parsed.condition ? phrasesIn(parsed.condition, caseSensitive) : [];
	const phrases = parsed.words.length === 0 && regexes.size === 0 ? [...written, ...factPhrases(request)] : written;
	const pointed = new Map(definitions.lines);
	for (const [doc, { line }] of [...copied, ...mentioned.docs]) pointed.set(doc, line);
	return { regexes, phrases, phrasesOnly: onlyPhrases(parsed), pointed };
}

const QUERY_CAPPED: Warning = {
	code: "query_capped",
	message: "the query is long: only its most selective words were used",
};
const CANDIDATES_CAPPED: Warning = {
	code: "candidates_capped",
	message: "the text of some candidates was not read in time; narrow the query",
};

function onlyNearInMeaning(isFiltered: boolean): Warning {
	const where = isFiltered ? "nothing that the filters let through" : "nothing indexed";
	const message = `${where} has these words; what is nearest in meaning is shown`;
	return { code: "unknown_word", field: "query", message };
}

function placesByMode(hits: readonly Hit[]): SearchResult["byMode"] {
	const places: Partial<Record<HitMode, number[]>> = {};
	for (const [place, { mode }] of hits.entries()) places[mode] = [...(places[mode] ?? []), place];
	return places;
}
