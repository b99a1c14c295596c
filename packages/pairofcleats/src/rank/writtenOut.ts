import type { ConditionContext } from "../query/conditions.ts";
import { locate } from "../store/snapshot.ts";
import { STOP_WORDS } from "../tokens/stopWords.ts";
import { wordsOf } from "../tokens/terms.ts";
import type { QueryTerms } from "./gatheredTerms.ts";
import type { Impacts } from "./impacts.ts";
import { leastOfBest } from "./leastOfBest.ts";
import type { Pointed } from "./mentionedFiles.ts";
import type { Scores } from "./scores.ts";

const NOWHERE: ReadonlyMap<number, Pointed> = new Map();
/** Fewer words stand side by side by chance, and nobody copies a message of more. */
const FEWEST_WORDS = 4;
const MOST_WORDS = 40;
const FEWEST_TELLING = 3;
/** So many of the words that tell something make a copy, or all of them; a question shares fewer with what answers it. */
const LEAST_SHARE = 2 / 3;
const FEWEST_SHARED = 4;
/** A chunk is read where it has nearly as many of the words anywhere. */
const LEAST_FOUND = 0.6;
const MOST_READ = 20;
/** Who asks has no message to copy, and need not wait until chunks are read for one. */
const ASKING: ReadonlySet<string> = new Set(["how", "what", "where", "which", "who", "why"]);
/** What stands in the text for a number of the message: `%d`, `#{count}`, `{self.count}`. */
const PLACEHOLDER_WORDS = 3;

/**
 * The chunks that say what the query says, its words close together and in its order: a message of a log, a sentence of
 * a page, a line of code. How near they come is the share of the query that they have.
 */
export function writtenOut(
	words: readonly string[],
	{ shape, terms }: Pick<QueryTerms, "shape" | "terms">,
	impacts: Impacts,
	scores: Scores,
	{ snapshot, texts, allowed }: Pick<ConditionContext, "snapshot" | "texts" | "allowed">,
): ReadonlyMap<number, Pointed> {
	if (shape !== "question" || words.length < FEWEST_WORDS || words.length > MOST_WORDS) return NOWHERE;
	const asked = words.map((word) => word.toLowerCase());
	const told = asked.filter(tells).length;
	if (told < FEWEST_TELLING || ASKING.has(asked[0] ?? "")) return NOWHERE;
	const written = new Map<number, Pointed>();
	for (const doc of likely(terms, impacts, scores, allowed)) {
		const { count, line } = longestRun(asked, texts.chunk(snapshot, doc));
		if (count === told || (count >= FEWEST_SHARED && count >= LEAST_SHARE * told)) {
			const { segment, local } = locate(snapshot, doc);
			written.set(doc, { nearness: count / told, line: (segment.columns.startLine[local] ?? 1) + line });
		}
	}
	return written;
}

function tells(word: string): boolean {
	return !STOP_WORDS.has(word) && !isNumber(word);
}

function isNumber(word: string): boolean {
	return /^\d/.test(word);
}

/** The chunks with most of the terms, however often and wherever they have them. */
function likely(terms: QueryTerms["terms"], impacts: Impacts, { docs }: Scores, allowed: Uint8Array): number[] {
	const parts = terms.filter(({ whole, term }) => !whole && !isNumber(term));
	const counts = new Uint8Array(docs.length);
	for (const { term } of parts) {
		const found = impacts.of(term).docs;
		for (let index = 0; index < found.length; index++) {
			const doc = found[index] ?? 0;
			counts[doc] = (counts[doc] ?? 0) + 1;
		}
	}
	const enough = Math.max(2, LEAST_FOUND * parts.length);
	const candidates: number[] = [];
	for (let doc = 0; doc < counts.length; doc++) {
		if ((counts[doc] ?? 0) >= enough && allowed[doc] === 1) candidates.push(doc);
	}
	if (candidates.length <= MOST_READ) return candidates;
	const worth = Float64Array.from(candidates, (doc) => (counts[doc] ?? 0) * 1e3 + (docs[doc] ?? 0));
	const least = leastOfBest(worth, MOST_READ);
	const best = candidates.filter((_, index) => (worth[index] ?? 0) >= least);
	// Which of many equals come first depends on how the index came to be: none of them.
	return best.length <= MOST_READ ? best : candidates.filter((_, index) => (worth[index] ?? 0) > least);
}

type Run = { readonly at: number; readonly count: number; readonly line: number };

/** How many telling words of the query a text has in its order and close together, and the line where they begin. */
function longestRun(asked: readonly string[], text: string): { readonly count: number; readonly line: number } {
	const places = new Map<string, number[]>();
	for (const [index, word] of asked.entries()) places.set(word, [...(places.get(word) ?? []), index]);
	/** The last run that ends with each word of the query. */
	const runs: (Run | undefined)[] = new Array(asked.length);
	let best = { count: 0, line: 0 };
	let at = 0;
	for (const [line, content] of text.toLowerCase().split("\n").entries()) {
		for (const word of wordsOf(content)) {
			at += 1;
			// From the last place on: a word that the query has twice does not follow itself.
			for (const index of (places.get(word) ?? []).toReversed()) {
				let last = index - 1;
				while (last > 0 && isNumber(asked[last] ?? "")) last -= 1;
				const apart = last === index - 1 ? 1 : 1 + PLACEHOLDER_WORDS;
				const before = at - (runs[last]?.at ?? at) <= apart ? runs[last] : undefined;
				const run = { at, count: (before?.count ?? 0) + (tells(word) ? 1 : 0), line: before?.line ?? line };
				runs[index] = run;
				if (run.count > best.count) best = run;
			}
		}
	}
	return best;
}
