import type { RegexRunner } from "../../expression/regexSearch.ts";
import { makeFactPatterns } from "../../filter/factArguments.ts";
import { SEARCH_DEFAULTS } from "../../query/arguments.ts";
import { type ConditionContext, makePhrasePatterns } from "../../query/conditions.ts";
import { hasOnlyPhrases } from "../../query/parseQuery.ts";
import type { SearchRequest } from "../../query/request.ts";
import type { Hit, HitMode, SearchResult, Warning } from "../../query/result.ts";
import type { Dictionary } from "../../query/unknownWords.ts";
import { compareMeaning } from "../../rank/meaning.ts";
import { type Ranking, rankHits } from "../../rank/rankHits.ts";
import { WEIGHTS } from "../../rank/weights.ts";
import { MODES } from "../../segment/columns.ts";
import { readModes } from "../../store/snapshot.ts";
import { GenerationChanged } from "../../store/store.ts";
import type { Embedder } from "../../vectors/embedder.ts";
import type { LoadedEmbedder } from "../../vectors/loadEmbedder.ts";
import type { OpenIndex } from "../openIndex.ts";
import { foldTwins } from "./foldTwins.ts";
import { type Gathered, gatherEvidence } from "./gatherEvidence.ts";
import { type Marks, makeHits } from "./makeHits.ts";
import { TEXT_BUDGET_MS } from "./narrow.ts";
import { readQuestion } from "./readQuestion.ts";
import { type Selection, selectDocuments } from "./selectDocuments.ts";

type SearchTools = {
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
	const mode = request.mode ?? SEARCH_DEFAULTS.mode;
	const modes = [...readModes(mode)].map((name) => MODES.indexOf(name));
	const question = readQuestion(request.query, index, index.impacts(modes));
	timings.end("parse");

	const selection = await selectDocuments(index, request, question, modes, tools.regexes, warnings, signal);
	timings.end("filter");

	return index.reader.read(() => {
		if (index.reader.generation() !== index.snapshot.generation) throw new GenerationChanged();
		const context = makeContext(index, request, selection);
		const impacts = index.impacts(modes);
		const gathered = gatherEvidence(index, { ...question, impacts, context, dictionary: tools.dictionary }, warnings);
		timings.end("score");

		const ranking = rankGathered(index, request, tools, gathered, selection.allowed, warnings);
		const { offset = 0, top = SEARCH_DEFAULTS.top } = request;
		const page = foldTwins(ranking, index.snapshot, offset, top);
		timings.end("rank");

		warnOfLimits(ranking, gathered, selection, context, warnings);
		const marks = chooseMarks(request, gathered, context);
		const hits = makeHits(index, request, gathered.query, gathered.definitions, page.hits, marks, warnings);
		timings.end("snippet");
		return {
			query: request.query,
			mode,
			hits,
			byMode: groupByMode(hits),
			totals: { matches: ranking.matches, files: ranking.files, searched: impacts.averages.docs },
			offset,
			hasMore: page.hasMore,
			timings: timings.get(),
			warnings,
			checkedAt: tools.checkedAt,
		};
	});
}

function makeContext(
	{ snapshot, reader, texts }: OpenIndex,
	request: SearchRequest,
	{ allowed, regexes }: Selection,
): ConditionContext {
	return {
		snapshot,
		reader,
		texts,
		allowed,
		caseSensitive: request.case === true || request.caseTokens === true,
		regexes,
		spent: { capped: false, untilMs: performance.now() + TEXT_BUDGET_MS },
	};
}

function rankGathered(
	index: OpenIndex,
	request: SearchRequest,
	{ model }: SearchTools,
	{ query, definitions, mentioned, copied }: Gathered,
	allowed: Uint8Array,
	warnings: Warning[],
): Ranking {
	const embedder = chooseEmbedder(request, index, model, warnings);
	const meaning = embedder && compareMeaning(index, embedder, query.meant);
	const { snapshot, scores } = index;
	return rankHits({ snapshot, scores, allowed, query, definitions, mentioned, copied, meaning, weights: WEIGHTS });
}

/** Says where the answer is less than what was asked for. */
function warnOfLimits(
	ranking: Ranking,
	{ capped }: Gathered,
	{ counted, allowed }: Selection,
	{ spent }: ConditionContext,
	warnings: Warning[],
): void {
	if (ranking.byMeaningAlone && ranking.matches > 0) {
		const isFiltered = counted.some((one, doc) => one !== allowed[doc]);
		warnings.push(onlyNearInMeaning(isFiltered));
	}
	if (capped) warnings.push(QUERY_CAPPED);
	if (spent.capped) warnings.push(CANDIDATES_CAPPED);
}

/** The line that the query points to comes before the line of a definition. */
function chooseMarks(
	request: SearchRequest,
	{ parsed, definitions, mentioned, copied }: Gathered,
	{ regexes, caseSensitive }: ConditionContext,
): Marks {
	const written = parsed.condition ? makePhrasePatterns(parsed.condition, caseSensitive) : [];
	const phrases =
		parsed.words.length === 0 && regexes.size === 0 ? [...written, ...makeFactPatterns(request)] : written;
	const pointed = new Map(definitions.lines);
	for (const [doc, { line }] of [...copied, ...mentioned.docs]) pointed.set(doc, line);
	return { regexes, phrases, phrasesOnly: hasOnlyPhrases(parsed), pointed };
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

function groupByMode(hits: readonly Hit[]): SearchResult["byMode"] {
	const places: Partial<Record<HitMode, number[]>> = {};
	for (const [place, { mode }] of hits.entries()) places[mode] = [...(places[mode] ?? []), place];
	return places;
}

/** The embedder for this request, if the index's vectors are from the same model. */
function chooseEmbedder(
	request: SearchRequest,
	index: OpenIndex,
	{ embedder, problem }: LoadedEmbedder,
	warnings: Warning[],
): Embedder | undefined {
	if (request.ann === false) return undefined;
	const stored = index.model;
	if (embedder !== undefined && stored === embedder.id) return embedder;
	const isOfAnother = embedder !== undefined && stored !== "";
	if (request.ann === true || problem !== undefined || isOfAnother) {
		const reason =
			embedder === undefined
				? problem === undefined
					? "no embedding model is installed"
					: "the embedding model is unreadable"
				: `the index holds vectors of ${stored === "" ? "no model" : stored}, not of ${embedder.id}, until it is updated`;
		warnings.push({ code: "vectors_unavailable", field: "ann", message: `${reason}; the search used words alone` });
	}
	return undefined;
}

type Phase = Exclude<keyof SearchResult["timings"], "total">;

/** How long each phase of a search took, in milliseconds. */
class Timings {
	readonly #spent: Record<Phase, number> = { parse: 0, filter: 0, score: 0, rank: 0, snippet: 0 };
	#since = performance.now();

	/** Books the time since the last call under `phase`. */
	end(phase: Phase): void {
		const now = performance.now();
		this.#spent[phase] = round(now - this.#since);
		this.#since = now;
	}

	get(): SearchResult["timings"] {
		const total = round(Object.values(this.#spent).reduce((sum, ms) => sum + ms, 0));
		return { ...this.#spent, total };
	}
}

function round(ms: number): number {
	return Math.round(ms * 1000) / 1000;
}
