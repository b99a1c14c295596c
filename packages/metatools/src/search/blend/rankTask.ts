import type { MeaningIndex } from "../meaning/meaningIndex.ts";
import type { Ranking } from "../queryIndex.ts";
import { terms } from "../text/words.ts";
import type { TaskScores, WordIndex } from "../words/wordIndex.ts";
import { coverNeeds, type Need, servedNeed } from "./coverNeeds.ts";
import { fitOf } from "./fit.ts";

/** What the best clause of a task adds to the likeness of the whole. */
const CLAUSE_SHARE = 0.75;
/** A short query is a paraphrase, which meaning finds; a long task has the words that tell. */
const SHORT = { terms: 8, meaning: 1.3 } as const;
const LONG = { terms: 22, meaning: 0.6 } as const;
/** Later clauses count by their words only, because each costs a pass over all tools. */
const MOST_CLAUSES = 8;
const CANDIDATES = 150;
/** Below it, likeness without a common word is chance. */
const LEAST_LIKENESS = 0.25;
/**
 * The best tool by words stays this high if it has this share of what was asked for. It stays first if no other has more than
 * this share of its score: then the words leave no doubt.
 */
const LEADER = { place: 3, coverage: 0.5, doubt: 0.4 } as const;
/** In a small catalogue the spread says little of itself, so these usual ones count like so many tools. */
const USUAL_SPREAD = { words: 0.08, meaning: 0.3, tools: 40 } as const;

/** Ranks all tools for one task by its words and by its meaning. */
export function rankTask(task: string, words: WordIndex, meaning: MeaningIndex): Ranking {
	const { scores: byWords, mass, clauses } = words.score(task);
	const whole = meaning.similarities(task);
	const needs = clauses.length === 0 ? [] : needsOf(clauses, candidates(byWords, whole), meaning);
	const byMeaning = whole.map((likeness, at) => {
		let best = 0;
		for (const need of needs) best = Math.max(best, need.likeness.get(at) ?? 0);
		return likeness + CLAUSE_SHARE * best;
	});
	const blended = blend(byWords, mass, byMeaning, meaningShare(new Set(terms(task)).size));
	const found: number[] = [];
	for (let at = 0; at < blended.length; at++)
		if ((byWords[at] ?? 0) > 0 || (whole[at] ?? 0) >= LEAST_LIKENESS) found.push(at);
	if (found.length === 0) found.push(...nearest(whole));
	found.sort((a, b) => (blended[b] ?? 0) - (blended[a] ?? 0) || a - b);
	keepLeader(found, byWords, mass);
	return {
		scores: scoresInOrder(coverNeeds(found, blended, needs), blended),
		fits: byWords.map((score, at) => fitOf(mass > 0 ? score / mass : 0, whole[at] ?? 0)),
		needOf: (document) => servedNeed(document, needs),
	};
}

/** For an answer that nothing fits: the two tools that are most alike, if anything of the task is known. */
function nearest(whole: Float64Array): readonly number[] {
	const alike = [...whole.keys()].filter((at) => (whole[at] ?? 0) > 0);
	return alike.sort((a, b) => (whole[b] ?? 0) - (whole[a] ?? 0) || a - b).slice(0, 2);
}

/** The tools that come first by their words or by their meaning; only they are compared with each clause. */
function candidates(byWords: Float64Array, whole: Float64Array): readonly number[] {
	const [leastWords, leastLikeness] = [byWords, whole].map((scores) => scores.toSorted().at(-CANDIDATES) ?? 0);
	return [...byWords.keys()].filter(
		(at) => (byWords[at] ?? 0) > (leastWords ?? 0) || (whole[at] ?? 0) >= (leastLikeness ?? 0),
	);
}

type ClauseNeed = Need & { readonly likeness: ReadonlyMap<number, number> };

function needsOf(
	clauses: TaskScores["clauses"],
	documents: readonly number[],
	meaning: MeaningIndex,
): readonly ClauseNeed[] {
	return clauses.slice(0, MOST_CLAUSES).map(({ text, scores, mass }) => {
		const likeness = new Map<number, number>();
		const served = new Map<number, number>();
		for (const [index, value] of meaning.similaritiesTo(documents, text).entries()) {
			const document = documents[index] ?? 0;
			likeness.set(document, value);
			served.set(document, value + (mass > 0 ? (scores[document] ?? 0) / mass : 0));
		}
		return { text, likeness, served };
	});
}

function meaningShare(count: number): number {
	const along = Math.min(1, Math.max(0, (count - SHORT.terms) / (LONG.terms - SHORT.terms)));
	return SHORT.meaning + along * (LONG.meaning - SHORT.meaning);
}

/** Both as deviations from the mean of all tools, so that neither scale outweighs the other. */
function blend(byWords: Float64Array, mass: number, byMeaning: Float64Array, share: number): Float64Array {
	const words = standardise(mass > 0 ? byWords.map((score) => score / mass) : byWords, USUAL_SPREAD.words);
	const meaning = standardise(byMeaning, USUAL_SPREAD.meaning);
	return words.map((value, at) => value + share * (meaning[at] ?? 0));
}

function standardise(values: Float64Array, usualSpread: number): Float64Array {
	let [sum, squares] = [0, 0];
	for (const value of values) {
		sum += value;
		squares += value * value;
	}
	const mean = sum / values.length;
	const { tools } = USUAL_SPREAD;
	const deviations = Math.max(0, squares - sum * mean);
	const spread = Math.sqrt((deviations + tools * usualSpread * usualSpread) / (values.length + tools));
	return values.map((value) => (value - mean) / spread);
}

/** Moves the best match by words up: a good one must not drown in what is merely alike. */
export function keepLeader(order: number[], byWords: Float64Array, mass: number): void {
	let leader = 0;
	let second = 0;
	for (let at = 1; at < byWords.length; at++) {
		const score = byWords[at] ?? 0;
		if (score > (byWords[leader] ?? 0)) {
			second = byWords[leader] ?? 0;
			leader = at;
		} else if (score > second) second = score;
	}
	const best = byWords[leader] ?? 0;
	const highest = second <= LEADER.doubt * best ? 1 : LEADER.place;
	const place = order.indexOf(leader);
	if (place < highest || best < LEADER.coverage * mass) return;
	order.splice(place, 1);
	order.splice(highest - 1, 0, leader);
}

/** Falling scores, the best 1, for documents in the order that was chosen. */
function scoresInOrder(order: readonly number[], blended: Float64Array): Float64Array {
	const scores = new Float64Array(blended.length);
	const falling = order.map((at) => blended[at] ?? 0).sort((a, b) => b - a);
	const [highest = 0, lowest = 0] = [falling[0], falling.at(-1)];
	// Every document that was found has some score.
	const span = (highest - lowest) * 1.01 || 1;
	for (const [rank, at] of order.entries()) scores[at] = 1 - (highest - (falling[rank] ?? 0)) / span;
	return scores;
}
