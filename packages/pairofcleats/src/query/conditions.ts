import { listLongLinePieces } from "../expression/longLines.ts";
import type { RegexOutcome } from "../expression/regexSearch.ts";
import { findTrigramFiles, readLiteralRequirement } from "../expression/trigramFiles.ts";
import { MODES } from "../segment/columns.ts";
import { decodePostings } from "../segment/postings.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { stemWord } from "../tokens/wordForms.ts";
import { isLoneLetter, LONGEST_WORD, splitIdentifier, splitIntoWords, UNSPACED } from "../tokens/words.ts";
import type { Condition } from "./conditionParser.ts";
import { countLetterPairs, type DocMarks, intersectMarks, invertMarks, markAtLeast, uniteMarks } from "./docMarks.ts";
import type { FileTexts } from "./fileTexts.ts";

/** Matches by file, for each regular expression of a query, keyed by its source and flags. */
export type RegexOutcomes = ReadonlyMap<string, RegexOutcome>;

/** Everything needed to evaluate a condition. */
export type ConditionContext = {
	readonly snapshot: Snapshot;
	readonly reader: IndexReader;
	readonly texts: FileTexts;
	/** 1 for each document that filters and modes allow. */
	readonly allowed: Uint8Array;
	readonly caseSensitive: boolean;
	readonly regexes: RegexOutcomes;
	/** `capped` is set when the time for reading texts runs out. */
	readonly spent: { capped: boolean; untilMs: number };
	/** 1 inside an exclusion: what there was no time to read counts as excluded, since it may have the text. */
	readonly whenUnread?: 0 | 1;
};

/** 1 for each document that satisfies the condition. */
export function evaluateCondition(condition: Condition, context: ConditionContext): Uint8Array {
	switch (condition.kind) {
		case "word":
			return wordDocs(condition.text, context);
		case "phrase":
			return verifyCandidates(
				findPhraseCandidates(condition.text, context),
				makePhrasePattern(condition.text, context.caseSensitive),
				context,
			);
		case "regex":
			return regexDocs(context.regexes.get(makeRegexKey(condition)), context);
		case "all":
			return allOf(condition.of, context);
		case "any":
			return condition.of.map((inner) => evaluateCondition(inner, context)).reduce(uniteMarks);
		case "not":
			return invertMarks(evaluateCondition(condition.of, { ...context, whenUnread: context.whenUnread === 1 ? 0 : 1 }));
	}
}

/** Reading texts is slow, so each part is checked only in documents that can satisfy the other parts. */
function allOf(of: readonly Condition[], context: ConditionContext): Uint8Array {
	let allowed = context.allowed;
	for (const inner of of)
		if (inner.kind === "phrase") allowed = intersectMarks(allowed, findPhraseCandidates(inner.text, context));
	for (const inner of of) {
		if (inner.kind === "phrase")
			allowed = verifyCandidates(allowed, makePhrasePattern(inner.text, context.caseSensitive), {
				...context,
				allowed,
			});
		else allowed = intersectMarks(allowed, evaluateCondition(inner, { ...context, allowed }));
	}
	return allowed;
}

export function makeRegexKey(regex: { readonly source: string; readonly flags: string }): string {
	return `/${regex.source}/${regex.flags}`;
}

export function listRegexes(condition: Condition): { source: string; flags: string }[] {
	if (condition.kind === "regex") return [condition];
	if (condition.kind === "not") return listRegexes(condition.of);
	return condition.kind === "all" || condition.kind === "any" ? condition.of.flatMap(listRegexes) : [];
}

/** A pattern for each required phrase. */
export function makePhrasePatterns(condition: Condition, caseSensitive: boolean): RegExp[] {
	switch (condition.kind) {
		case "phrase": {
			const { source, flags } = makePhrasePattern(condition.text, caseSensitive);
			return [new RegExp(source, `${flags}g`)];
		}
		case "all":
		case "any":
			return condition.of.flatMap((inner) => makePhrasePatterns(inner, caseSensitive));
		default:
			return [];
	}
}

/** A required phrase that is written only inside longer words, if there is one. */
export function findPhraseInsideWords(condition: Condition, context: ConditionContext): string | undefined {
	if (condition.kind === "all") {
		for (const inner of condition.of) {
			const text = findPhraseInsideWords(inner, context);
			if (text !== undefined) return text;
		}
	}
	if (condition.kind !== "phrase") return undefined;
	const { text } = condition;
	const isWritten = verifyCandidates(
		findPhraseCandidates(text, context),
		makePhrasePattern(text, context.caseSensitive),
		context,
	).includes(1);
	if (isWritten) return undefined;
	const anywhere = new RegExp(escapePhrase(text), context.caseSensitive ? "u" : "iu");
	return verifyCandidates(trigramDocs(text, context), anywhere, context).includes(1) ? text : undefined;
}

/** Documents that contain the identifier whole or all of its parts; in a case-sensitive search, exactly as written. */
function wordDocs(text: string, context: ConditionContext): Uint8Array {
	const words = splitIntoWords(text).map((word) => {
		const parts = splitIdentifier(word);
		const inParts = allIn(
			parts.map((part) => partDocs(part, context)),
			context,
		);
		return parts.length > 1 ? uniteMarks(inParts, termDocs(parts.join(""), context)) : inParts;
	});
	const docs = allIn(words, context);
	return context.caseSensitive ? verifyCandidates(docs, makePhrasePattern(text, true), context) : docs;
}

function partDocs(part: string, context: ConditionContext): Uint8Array {
	if (!isLoneLetter(part)) return termDocs(stemWord(part), context);
	return markAtLeast(countLetterPairs(part, context), 1);
}

/** Without conditions, no document matches. */
function allIn(of: readonly DocMarks[], { snapshot }: ConditionContext): DocMarks {
	return of.length === 0 ? new Uint8Array(snapshot.docs) : of.reduce(intersectMarks);
}

function termDocs(term: string, { snapshot, reader }: Pick<ConditionContext, "snapshot" | "reader">): Uint8Array {
	const docs = new Uint8Array(snapshot.docs);
	for (const segment of snapshot.segments) {
		const row = reader.postings(segment.id, term);
		if (!row) continue;
		const { docs: locals, values } = decodePostings(row.bytes, row.count, segment.docs);
		// Skips terms that occur only in the path.
		for (const [index, local] of locals.entries())
			if (((values[index] ?? 0) & 0x3f) !== 0) docs[segment.base + local] = 1;
	}
	return docs;
}

/** Documents that can have a phrase: those with its words, of the files with its letters. */
export function findPhraseCandidates(text: string, context: ConditionContext): Uint8Array {
	const docs = trigramDocs(text, context);
	const words = plainWords(text);
	if (words.length === 0) return docs;
	const worded = words.map((word) => mayHave(word, context)).reduce(intersectMarks);
	const { modeOf } = context.snapshot;
	// Comments are read with all of their lines, where code may stand that is not among their words.
	for (let doc = 0; doc < docs.length; doc++) if (modeOf[doc] !== COMMENTS && worded[doc] === 0) docs[doc] = 0;
	return docs;
}

const COMMENTS = MODES.indexOf("extracted-prose");

/** Documents of the files that have the letters of a phrase, also inside of words. */
function trigramDocs(text: string, { snapshot, reader }: ConditionContext): Uint8Array {
	const may = new Uint8Array(snapshot.docs);
	// Whitespace in a phrase matches any whitespace, so only the trigrams within its words are certain.
	const pieces = text.split(/\s+/).map(readLiteralRequirement);
	const requirement = { trigrams: new Set(pieces.flatMap(({ trigrams }) => [...trigrams])), anyOf: [] };
	for (const number of findTrigramFiles(snapshot, reader, requirement)) {
		const file = snapshot.files[number];
		if (file) may.fill(1, file.first, file.first + file.docs);
	}
	return may;
}

const PLAIN = /^\w*[A-Za-z0-9]\w*$/;
/** The longest words of a phrase are its rarest. */
const MOST_WORDS = 6;

function plainWords(text: string): string[] {
	const words = splitIntoWords(text).filter((word) => PLAIN.test(word) && word.length <= LONGEST_WORD);
	return [...new Set(words)].sort((one, other) => other.length - one.length).slice(0, MOST_WORDS);
}

/**
 * Documents that can contain the word in any case: as one word, or split at its capitals. Misses only a name of several
 * words that is in another case and has others joined to it by `$`.
 */
function mayHave(word: string, context: ConditionContext): Uint8Array {
	const parts = splitIdentifier(word);
	const whole = parts.join("");
	const split = parts.map((part) => termDocs(stemWord(part), context)).reduce(intersectMarks);
	return [split, termDocs(whole, context), termDocs(stemWord(whole), context)].reduce(uniteMarks);
}

/** In a script without spaces, words have no boundaries to match. */
const WORD_LETTER = String.raw`[[\p{L}\p{N}_]--${UNSPACED}]`;
const BEGINS_WORD = new RegExp(`^${WORD_LETTER}`, "v");
const ENDS_WORD = new RegExp(`${WORD_LETTER}$`, "v");

/** A phrase matches literally, except that any whitespace matches, and never inside a longer word. */
export function makePhrasePattern(text: string, caseSensitive: boolean): RegExp {
	const before = BEGINS_WORD.test(text.trim()) ? "(?<![\\p{L}\\p{N}_])" : "";
	const after = ENDS_WORD.test(text.trim()) ? "(?![\\p{L}\\p{N}_])" : "";
	return new RegExp(`${before}${escapePhrase(text)}${after}`, caseSensitive ? "u" : "iu");
}

/** The source of a pattern for a phrase inside words too. */
export function escapePhrase(text: string): string {
	return text
		.trim()
		.split(/\s+/)
		.map((piece) => piece.replaceAll(/[^\p{L}\p{N}_]/gu, escapeMark))
		.join("\\s+");
}

/** A Unicode pattern allows escapes only for syntax characters. */
function escapeMark(mark: string): string {
	return /[\^$\\.*+?()[\]{}|/]/.test(mark) ? `\\${mark}` : mark;
}

/** The allowed candidates whose text matches the pattern. */
export function verifyCandidates(candidates: Uint8Array, pattern: RegExp, context: ConditionContext): Uint8Array {
	const { allowed, spent, texts, snapshot, whenUnread = 0 } = context;
	const docs = new Uint8Array(candidates.length);
	let isLate = false;
	for (let doc = 0; doc < candidates.length; doc++) {
		if (candidates[doc] === 0 || allowed[doc] === 0) continue;
		isLate ||= performance.now() > spent.untilMs;
		if (isLate) docs[doc] = whenUnread;
		else if (pattern.test(texts.chunk(snapshot, doc))) docs[doc] = 1;
	}
	spent.capped ||= isLate;
	return docs;
}

function regexDocs(outcome: RegexOutcome | undefined, { snapshot, whenUnread = 0 }: ConditionContext): Uint8Array {
	const docs = new Uint8Array(snapshot.docs);
	for (const number of outcome?.unsearched ?? []) {
		const file = snapshot.files[number];
		if (file) docs.fill(whenUnread, file.first, file.first + file.docs);
	}
	for (const [number, { lines, pieces }] of outcome?.matches ?? []) {
		const file = snapshot.files[number];
		if (!file) continue;
		const { startLine, endLine } = file.segment.columns;
		for (let doc = file.first; doc < file.first + file.docs; doc++) {
			const local = doc - file.segment.base;
			const line = lines[firstFrom(lines, startLine[local] ?? 0)];
			if (line !== undefined && line <= (endLine[local] ?? 0)) docs[doc] = 1;
		}
		for (const piece of listLongLinePieces(file)) docs[file.first + piece.number] = pieces.has(piece.number) ? 1 : 0;
	}
	return docs;
}

/** Binary search: the index of the first number that is not less than `least`. */
function firstFrom(numbers: Uint32Array, least: number): number {
	let low = 0;
	let high = numbers.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((numbers[middle] ?? 0) < least) low = middle + 1;
		else high = middle;
	}
	return low;
}
