import { CleatsError } from "../contract/errors.ts";
import { MODES } from "../index/columns.ts";
import { modesOf, type Snapshot } from "../index/snapshot.ts";
import {
	type ConditionContext,
	evaluate,
	phrasePattern,
	type RegexLines,
	regexesIn,
	regexKey,
	verified,
} from "../query/conditions.ts";
import type { Dictionary } from "../query/dictionary.ts";
import type { FilterContext } from "../query/filterContext.ts";
import { applyFilters } from "../query/filters.ts";
import { type ParsedQuery, parseQuery } from "../query/parseQuery.ts";
import { DEFAULT_TOP } from "../query/readRequest.ts";
import type { LinesByTarget, RegexRunner } from "../query/regexSearch.ts";
import { regexRequirement } from "../query/regexTrigrams.ts";
import type { SearchRequest } from "../query/request.ts";
import { trigramFiles } from "../query/trigramFiles.ts";
import { readUnknown } from "../query/unknownWords.ts";
import { type Definitions, findDefinitions } from "../rank/definitions.ts";
import { type QueryTerms, queryTerms } from "../rank/queryTerms.ts";
import { type Ranking, rankHits } from "../rank/rankHits.ts";
import type { Scores } from "../rank/scores.ts";
import { scoreTerms } from "../rank/scoreTerms.ts";
import { WEIGHTS } from "../rank/weights.ts";
import type { Embedder } from "../vectors/embedder.ts";
import { meaningOf } from "../vectors/meaning.ts";
import { type Folded, foldTwins } from "./foldTwins.ts";
import { makeHits } from "./makeHits.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { SearchResult, Warning } from "./result.ts";

/** Reading texts for phrases and running expressions each stop after this. */
const TEXT_BUDGET_MS = 2_000;

export type SearchTools = {
	readonly regexes: RegexRunner;
	readonly embedder?: Embedder;
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
	const clock = stopwatch();
	const warnings: Warning[] = [];
	const { snapshot, reader } = index;
	const mode = request.mode ?? "both";
	const modes = [...modesOf(mode)].map((name) => MODES.indexOf(name));
	const parsed = parseQuery(request.query);
	const written = queryTerms(parsed, request.query);
	const parse = clock();

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
	const regexLines = await runRegexes(parsed, index, allowed, tools.regexes, warnings, signal);
	signal?.throwIfAborted();
	const filter = clock();

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
		narrow(parsed, context);
		const query = tools.dictionary ? widened(written, parsed, tools.dictionary, index, warnings) : written;
		const impacts = index.impacts(modes);
		const { scores } = index;
		scores.clear();
		const capped = query.terms.length > 0 && scoreTerms(impacts, query, snapshot.docs, WEIGHTS, scores).capped;
		if (query.terms.length === 0) scoreLines(snapshot, allowed, regexLines, scores);
		const definitions = findDefinitions(snapshot, reader, query.symbols);
		matchCase(parsed, scores, context);
		const score = clock();
		const needed = (request.offset ?? 0) + (request.top ?? DEFAULT_TOP);
		const embedder = embedderFor(request, index, tools, warnings);
		const meaning = embedder && meaningOf(index, embedder, query.meant);
		const ranking = rankHits(snapshot, scores, query, definitions, allowed, WEIGHTS, needed, meaning);
		const page = foldTwins(ranking, snapshot, request.offset ?? 0, request.top ?? DEFAULT_TOP);
		const rank = clock();
		if (capped && query.terms.length > 28) {
			warnings.push({ code: "query_capped", message: "only the most selective words of the query were ranked by" });
		}
		if (context.spent.capped) {
			warnings.push({
				code: "candidates_capped",
				message: "the text of some candidates was not read in time; narrow the query",
			});
		}
		return assemble(
			index,
			request,
			mode,
			query,
			definitions,
			ranking,
			page,
			regexLines,
			impacts.averages.docs,
			warnings,
			tools.checkedAt,
			{
				parse,
				filter,
				score,
				rank,
				clock,
			},
		);
	});
}

/** The terms of the query and, for words run together that the index does not have, those of their parts. */
function widened(
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

function assemble(
	index: OpenIndex,
	request: SearchRequest,
	mode: string,
	query: QueryTerms,
	definitions: Definitions,
	ranking: Ranking,
	page: { readonly hits: readonly Folded[]; readonly hasMore: boolean },
	regexLines: RegexLines,
	searched: number,
	warnings: readonly Warning[],
	checkedAt: string,
	spent: { parse: number; filter: number; score: number; rank: number; clock: () => number },
): SearchResult {
	const hits = makeHits(index, request, query, definitions, page.hits, regexLines);
	const byMode: Record<string, number[]> = {};
	for (const [place, hit] of hits.entries()) byMode[hit.mode] = [...(byMode[hit.mode] ?? []), place];
	const { parse, filter, score, rank } = spent;
	const snippet = spent.clock();
	return {
		query: request.query,
		mode,
		hits,
		byMode,
		totals: {
			matches: ranking.matches,
			files: ranking.files,
			searched,
		},
		offset: request.offset ?? 0,
		hasMore: page.hasMore,
		timings: { parse, filter, score, rank, snippet, total: round(parse + filter + score + rank + snippet) },
		warnings,
		checkedAt,
	};
}

/** Runs each expression of the query over the files that may match it. */
async function runRegexes(
	parsed: ParsedQuery,
	index: OpenIndex,
	allowed: Uint8Array,
	regexes: RegexRunner,
	warnings: Warning[],
	signal: AbortSignal | undefined,
): Promise<RegexLines> {
	const results = new Map<string, LinesByTarget>();
	for (const regex of parsed.condition ? regexesIn(parsed.condition) : []) {
		const { snapshot, reader } = index;
		const files = trigramFiles(snapshot, reader, regexRequirement(regex.source, regex.flags)).flatMap((target) => {
			const file = snapshot.files[target];
			const open = file && allowed.subarray(file.first, file.first + file.docs).includes(1);
			return open ? [{ target, segment: file.segment.id, ordinal: file.ordinal }] : [];
		});
		const flags = [...new Set(`${regex.flags}gm`)].join("");
		const job = { kind: "texts", source: regex.source, flags, index: index.file, files } as const;
		const { matches, complete } = await regexes.run(job, TEXT_BUDGET_MS, signal);
		results.set(regexKey(regex), matches);
		if (!complete) {
			const message = `/${regex.source}/ took longer than ${TEXT_BUDGET_MS} ms; some files were not searched`;
			warnings.push({ code: "regex_budget", field: "query", message });
		}
	}
	return results;
}

function narrow(parsed: ParsedQuery, context: ConditionContext): void {
	if (!parsed.condition) return;
	const satisfied = evaluate(parsed.condition, context);
	for (let doc = 0; doc < satisfied.length; doc++) if (satisfied[doc] === 0) context.allowed[doc] = 0;
}

/** With case, a chunk must have one of the plain words just as it is written. */
function matchCase(parsed: ParsedQuery, scores: Scores, context: ConditionContext): void {
	if (!context.caseSensitive || parsed.words.length === 0) return;
	const found = Uint8Array.from(scores.docs, (score) => (score > 0 ? 1 : 0));
	const any = new RegExp(parsed.words.map((word) => phrasePattern(word, true).source).join("|"), "u");
	context.allowed.set(verified(found, any, context));
}

/** Without words to rank by, every chunk let through counts by its matched lines. */
function scoreLines(snapshot: Snapshot, allowed: Uint8Array, regexLines: RegexLines, scores: Scores): void {
	for (const [number, { first, docs }] of snapshot.files.entries()) {
		let lines = 0;
		for (const byFile of regexLines.values()) lines += byFile.get(number)?.length ?? 0;
		const score = 1 + Math.log1p(lines);
		for (let doc = first; doc < first + docs; doc++) if (allowed[doc] === 1) scores.add(doc, number, score);
	}
}

/** The embedder to use for this request, if its vectors are the index's. */
function embedderFor(
	request: SearchRequest,
	index: OpenIndex,
	tools: SearchTools,
	warnings: Warning[],
): Embedder | undefined {
	if (request.ann === false) return undefined;
	const { embedder } = tools;
	const stored = index.model;
	if (embedder !== undefined && stored === embedder.id) return embedder;
	if (request.ann === true) {
		const reason =
			embedder === undefined
				? "no embedding model is installed"
				: `the index holds vectors of ${stored === "" ? "no model" : stored}, not of ${embedder.id}; build it again`;
		warnings.push({ code: "vectors_unavailable", field: "ann", message: `${reason}; the answer is by words alone` });
	}
	return undefined;
}

/** Milliseconds since the call before. */
function stopwatch(): () => number {
	let last = performance.now();
	return () => {
		const now = performance.now();
		const spent = round(now - last);
		last = now;
		return spent;
	};
}

function round(ms: number): number {
	return Math.round(ms * 1000) / 1000;
}

export function noIndex(): CleatsError {
	return new CleatsError("NO_INDEX", "the repository has no index; build one first", {
		hint: "pairofcleats index build",
	});
}
