import { findTrigramFiles, readLiteralRequirement } from "../../expression/trigramFiles.ts";
import { type ConditionContext, makePhrasePattern, verifyCandidates } from "../../query/conditions.ts";
import { locateDocument } from "../../store/snapshot.ts";
import { STOP_WORDS } from "../../tokens/wordForms.ts";
import { splitIntoTerms, splitIntoWords } from "../../tokens/words.ts";
import type { Pointed } from "../mentions/mentionedFiles.ts";
import type { Impacts } from "../score/impacts.ts";
import { findLeastOfBest, type Scores } from "../score/scores.ts";
import type { QueryTerm, QueryTerms } from "../terms/gatheredTerms.ts";
import { listWithoutPrefixes, type MessageWord, makeMessageFinder, readMessageWords } from "./filledIn.ts";

const NOWHERE: ReadonlyMap<number, Pointed> = new Map();
/** Fewer words may be adjacent by chance, and nobody copies a longer message. */
const FEWEST_WORDS = 4;
const MOST_WORDS = 40;
const FEWEST_TELLING = 3;
/** A copy has this share of the significant words. A question shares fewer with its answer. */
const LEAST_SHARE = 2 / 3;
const FEWEST_SHARED = 4;
/** A chunk is read only if it has at least this share of the words anywhere. */
const LEAST_FOUND = 0.6;
const MOST_READ = 20;
/** A question is no copied message, so no chunks need be read for it. */
const ASKING: ReadonlySet<string> = new Set(["how", "what", "where", "which", "who", "why"]);
/** Words that a value's placeholder may have in the source: `%d`, `#{count}`, `{self.count}`. */
const PLACEHOLDER_WORDS = 3;

/**
 * The chunks that contain the query's text, with its words close together and in order: a log message, a sentence, a
 * line of code. `nearness` is the share of the query's words that they have, values aside.
 */
export function findWrittenMessage(
	message: string,
	asked: readonly MessageWord[],
	{ shape, terms }: Pick<QueryTerms, "shape" | "terms">,
	impacts: Impacts,
	scores: Scores,
	context: ConditionContext,
): ReadonlyMap<number, Pointed> {
	const { snapshot, texts, allowed } = context;
	if (shape !== "question") return NOWHERE;
	if (asked.length < FEWEST_WORDS || asked.length > MOST_WORDS || ASKING.has(asked[0]?.word ?? "")) return NOWHERE;
	if (asked.filter(({ word }) => tells(word)).length < FEWEST_TELLING) return NOWHERE;
	const told = toldOf(asked);
	const known = new Set(asked.flatMap(({ word, isValue }) => (isValue ? [] : splitIntoTerms(word))));
	const sought = terms.filter(({ term, whole }) => !whole && !isNumber(term) && known.has(term));
	const written = new Map<number, Pointed>();
	for (const doc of likely(sought, impacts, scores, allowed, MOST_READ)) {
		const { said, values, line } = longestRun(asked, texts.chunk(snapshot, doc));
		const count = said + values;
		const nearness = count / (told + values);
		if (count >= FEWEST_TELLING && (nearness === 1 || (count >= FEWEST_SHARED && nearness >= LEAST_SHARE))) {
			const { segment, local } = locateDocument(snapshot, doc);
			written.set(doc, { nearness, line: (segment.columns.startLine[local] ?? 1) + line });
		}
	}
	const exact = written.size === 0 ? findExactMessage(message, impacts, context) : undefined;
	for (let doc = exact?.indexOf(1) ?? -1; doc >= 0; doc = exact?.indexOf(1, doc + 1) ?? -1) {
		const { segment, local } = locateDocument(snapshot, doc);
		const { line } = longestRun(asked, texts.chunk(snapshot, doc));
		written.set(doc, { nearness: 1, line: (segment.columns.startLine[local] ?? 1) + line });
	}
	return written;
}

/** A message with few literal words needs more reads, because none of its words is rare. */
const MOST_READ_FOR_FEW = 100;
const FEWEST_FILLED = 3;
/** A match from first letter to last is rarely another message. */
const SURE = 2;

/** The text after a colon may be an inserted value, such as another program's error, and so may a name amid the text. */
const MAY_INSERT = /: |\S\s+\p{Lu}/u;

/**
 * The chunks with a string literal that produces the query when its placeholders are filled in, however short it is.
 */
export function findFilledMessage(
	message: string,
	asked: readonly MessageWord[],
	{ shape }: Pick<QueryTerms, "shape">,
	impacts: Impacts,
	scores: Scores,
	{ snapshot, texts, allowed }: Pick<ConditionContext, "snapshot" | "texts" | "allowed">,
): ReadonlyMap<number, Pointed> {
	if (shape !== "question" || asked.length < FEWEST_FILLED || asked.length > MOST_WORDS) return NOWHERE;
	const values = asked.flatMap(({ word, isValue }) => (isValue ? [word] : []));
	if ((values.length === 0 && !MAY_INSERT.test(message)) || ASKING.has(asked[0]?.word ?? "")) return NOWHERE;
	const find = makeMessageFinder(message, values);
	if (find === undefined) return NOWHERE;
	const parts = message.split(": ").map((part) => knownTerms(readMessageWords(part), impacts));
	const telling = parts.filter(({ length }) => length >= 2);
	const mostRead = Math.ceil(MOST_READ_FOR_FEW / telling.length);
	const read = new Set<number>();
	for (const sought of telling) {
		for (const doc of likely(sought, impacts, scores, allowed, mostRead)) read.add(doc);
	}
	const found: { readonly doc: number; readonly line: number; readonly own: number }[] = [];
	for (const doc of read) {
		const place = find(texts.chunk(snapshot, doc));
		if (place) found.push({ doc, ...place });
	}
	const most = Math.max(0, ...found.map(({ own }) => own));
	return new Map(
		found.map(({ doc, line, own }) => {
			const { segment, local } = locateDocument(snapshot, doc);
			return [doc, { nearness: (SURE * own) / most, line: (segment.columns.startLine[local] ?? 1) + line }];
		}),
	);
}

/** The terms of the words that are not values, if some chunk has them. */
function knownTerms(words: readonly MessageWord[], impacts: Impacts): Pick<QueryTerm, "term">[] {
	const own = new Set(words.flatMap(({ word, isValue }) => (isValue ? [] : splitIntoTerms(word))));
	return [...own].filter((term) => !isNumber(term) && impacts.count(term) > 0).map((term) => ({ term }));
}

/** Whether the query has enough words besides its values that a match is no coincidence. */
export function isMessage(asked: readonly MessageWord[]): boolean {
	return toldOf(asked) >= FEWEST_SHARED;
}

function toldOf(asked: readonly MessageWord[]): number {
	return asked.filter(({ word, isValue }) => !isValue && tells(word)).length;
}

function tells(word: string): boolean {
	return !STOP_WORDS.has(word) && !isNumber(word);
}

function isNumber(word: string): boolean {
	return /^\d/.test(word);
}

/** The chunks with the most different terms, wherever those are. */
function likely(
	parts: readonly Pick<QueryTerm, "term">[],
	impacts: Impacts,
	{ docs }: Scores,
	allowed: Uint8Array,
	most: number,
): number[] {
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
	if (candidates.length <= most) return candidates;
	const worth = Float64Array.from(candidates, (doc) => (counts[doc] ?? 0) * 1e3 + (docs[doc] ?? 0));
	const least = findLeastOfBest(worth, most);
	const best = candidates.filter((_, index) => (worth[index] ?? 0) >= least);
	// The order of equals depends on the index's history, so none of them is taken.
	return best.length <= most ? best : candidates.filter((_, index) => (worth[index] ?? 0) > least);
}

/** A run of the query's words: where it ends, how many words and values it has, and the line where it begins. */
type Run = { readonly at: number; readonly said: number; readonly values: number; readonly line: number };

/** The run with the most significant words of the query, in order and close together. */
function longestRun(asked: readonly MessageWord[], text: string): Run {
	const places = new Map<string, number[]>();
	for (const [index, { word }] of asked.entries()) places.set(word, [index, ...(places.get(word) ?? [])]);
	/** For each word of the query, the last run that ends with it. */
	const runs: (Run | undefined)[] = new Array(asked.length);
	let best: Run = { at: 0, said: 0, values: 0, line: 0 };
	let at = 0;
	for (const [line, content] of text.toLowerCase().split("\n").entries()) {
		for (const word of splitIntoWords(content)) {
			at += 1;
			// Last place first, so that a word that occurs twice in the query does not follow itself.
			for (const index of places.get(word) ?? []) {
				const before = runBefore(asked, runs, index, at);
				const isValue = asked[index]?.isValue === true;
				const counts = tells(word) ? 1 : 0;
				const run = {
					at,
					said: (before?.said ?? 0) + (isValue ? 0 : counts),
					values: (before?.values ?? 0) + (isValue ? counts : 0),
					line: before?.line ?? line,
				};
				runs[index] = run;
				if (run.said + run.values > best.said + best.values) best = run;
			}
		}
	}
	return best;
}

/** The longest run that a word continues, directly or after the placeholder of a value. */
function runBefore(asked: readonly MessageWord[], runs: readonly (Run | undefined)[], index: number, at: number) {
	let found: Run | undefined;
	for (let last = index - 1; last >= 0; last--) {
		const run = runs[last];
		const apart = last === index - 1 ? 1 : 1 + PLACEHOLDER_WORDS;
		if (run && at - run.at <= apart && run.said + run.values > (found ? found.said + found.values : 0)) found = run;
		if (!asked[last]?.isValue) break;
	}
	return found;
}

const FEWEST_EXACT_WORDS = 3;
const FEWEST_EXACT_TELLING = 2;
/** If more chunks had to be read, the words are too common to be worth the wait. */
const MOST_READ_EXACTLY = 200;

/**
 * The chunks that contain a message word for word, however common its words are: `Session is closed` for `RuntimeError:
 * Session is closed`. Drops as few prefixes as needed for a chunk to match.
 */
function findExactMessage(message: string, impacts: Impacts, context: ConditionContext): Uint8Array | undefined {
	for (const prefixed of listWithoutPrefixes(message)) {
		const text = prefixed.replace(/[\s.!:;,…]+$/u, "");
		const telling = splitIntoWords(text).filter((word) => !STOP_WORDS.has(word.toLowerCase()) && !/^\d/.test(word));
		if (telling.length < FEWEST_EXACT_TELLING || splitIntoWords(text).length < FEWEST_EXACT_WORDS) continue;
		const candidates = withAll([...new Set(telling.flatMap(splitIntoTerms))], text, impacts, context);
		if (!candidates.includes(1) || candidates.reduce((sum, one) => sum + one, 0) > MOST_READ_EXACTLY) continue;
		const said = verifyCandidates(candidates, makePhrasePattern(text, false), context);
		if (said.includes(1)) return said;
	}
	return undefined;
}

/** 1 for each chunk that has all terms, in a file that has all trigrams of the text. */
function withAll(
	terms: readonly string[],
	text: string,
	impacts: Impacts,
	{ snapshot, reader, allowed }: ConditionContext,
): Uint8Array {
	const counts = new Uint8Array(allowed.length);
	for (const term of terms) for (const doc of impacts.of(term).docs) counts[doc] = (counts[doc] ?? 0) + 1;
	const all = new Uint8Array(allowed.length);
	if (!counts.includes(terms.length)) return all;
	for (const number of findTrigramFiles(snapshot, reader, readLiteralRequirement(text))) {
		const { first = 0, docs = 0 } = snapshot.files[number] ?? {};
		for (let doc = first; doc < first + docs; doc++) {
			if (counts[doc] === terms.length && allowed[doc] === 1) all[doc] = 1;
		}
	}
	return all;
}
