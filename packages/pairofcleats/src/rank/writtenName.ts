import { type ConditionContext, phrasePattern, verified } from "../query/conditions.ts";
import { withAtLeast } from "../query/docMarks.ts";
import { locate } from "../store/snapshot.ts";
import type { QueryTerm } from "./gatheredTerms.ts";
import type { Impacts } from "./impacts.ts";
import { leastOfBest } from "./leastOfBest.ts";
import type { Pointed } from "./mentionedFiles.ts";
import type { Scores } from "./scores.ts";

/** So many of the chunks with all of its words are read for a name; further down it changes little. */
const MOST_READ = 100;

/** What a name is looked for in. */
export type NameEvidence = {
	readonly impacts: Impacts;
	readonly context: ConditionContext;
	readonly scores: Scores;
};

const NOWHERE: ReadonlyMap<number, Pointed> = new Map();

/** Adds the files that have a name with dashes as it is written, or are called so, to those that have it in one word. */
export function addDashed(name: string, terms: readonly QueryTerm[], evidence: NameEvidence): void {
	const parts = terms.filter(({ whole }) => !whole);
	const written = docsWith(phrasePattern(name, false), parts, evidence);
	const called = name.toLowerCase();
	for (const [number, { path, first, docs }] of evidence.context.snapshot.files.entries()) {
		const says = written.subarray(first, first + docs).includes(1);
		if (says || path.toLowerCase().includes(called)) evidence.scores.whole.add(number);
	}
}

/**
 * The chunks and lines that have a name with its owners as it is written, where nothing declares it and no file or
 * folder is called so: an error's code, a member of what is imported. Files that have it come before those with parts.
 */
export function writtenOwned(
	name: string,
	terms: readonly QueryTerm[],
	evidence: NameEvidence,
): ReadonlyMap<number, Pointed> {
	const { snapshot } = evidence.context;
	const called = [name, name.replaceAll(/\.|::|#|->/g, "/")].map((one) => one.toLowerCase());
	if (snapshot.files.some(({ path }) => called.some((one) => path.toLowerCase().includes(one)))) return NOWHERE;
	const pattern = phrasePattern(name, false);
	const written = docsWith(pattern, terms, evidence);
	if (!written.includes(1)) return NOWHERE;
	const { whole } = evidence.scores;
	// What has the last part whole has it of another owner.
	whole.clear();
	const places = linesOf(written, pattern, evidence.context);
	for (const doc of places.keys()) whole.add(snapshot.fileOf[doc] ?? 0);
	return places;
}

/** Where in each of these chunks the pattern is. */
function linesOf(
	written: Uint8Array,
	pattern: RegExp,
	{ snapshot, texts }: ConditionContext,
): ReadonlyMap<number, Pointed> {
	const places = new Map<number, Pointed>();
	for (let doc = written.indexOf(1); doc >= 0; doc = written.indexOf(1, doc + 1)) {
		const text = texts.chunk(snapshot, doc);
		const { segment, local } = locate(snapshot, doc);
		const before = text.slice(0, text.search(pattern)).split("\n").length - 1;
		places.set(doc, { nearness: 1, line: (segment.columns.startLine[local] ?? 1) + before });
	}
	return places;
}

/** Of the best chunks with every term, as what says a name has them all, those that have it as it is written. */
function docsWith(
	pattern: RegExp,
	terms: readonly QueryTerm[],
	{ impacts, context, scores }: NameEvidence,
): Uint8Array {
	const counts = new Uint8Array(scores.docs.length);
	for (const { term } of terms) for (const doc of impacts.of(term).docs) counts[doc] = (counts[doc] ?? 0) + 1;
	const best = new Float64Array(scores.docs.length);
	for (let doc = 0; doc < best.length; doc++) {
		if (counts[doc] === terms.length && context.allowed[doc] === 1) best[doc] = scores.docs[doc] ?? 0;
	}
	return verified(withAtLeast(best, leastOfBest(best, MOST_READ)), pattern, context);
}
