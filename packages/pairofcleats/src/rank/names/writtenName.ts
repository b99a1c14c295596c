import {
	type ConditionContext,
	evaluateCondition,
	makePhrasePattern,
	verifyCandidates,
} from "../../query/conditions.ts";
import { markAtLeast } from "../../query/docMarks.ts";
import { locateDocument } from "../../store/snapshot.ts";
import type { Pointed } from "../mentions/mentionedFiles.ts";
import type { Impacts } from "../score/impacts.ts";
import { findLeastOfBest, type Scores } from "../score/scores.ts";
import type { QueryTerm } from "../terms/gatheredTerms.ts";

/** At most this many chunks with all words of a name are read. Further ones change little. */
const MOST_READ = 100;

/** The index data that a name is searched in. */
export type NameEvidence = {
	readonly impacts: Impacts;
	readonly context: ConditionContext;
	readonly scores: Scores;
};

const NOWHERE: ReadonlyMap<number, Pointed> = new Map();

/** Counts files that have a dashed name as written, in their text or path, as having the whole identifier. */
export function scoreDashedName(name: string, terms: readonly QueryTerm[], evidence: NameEvidence): void {
	const parts = terms.filter(({ whole }) => !whole);
	const written =
		parts.length === 0 ? addShort(name, evidence) : docsWith(makePhrasePattern(name, false), parts, evidence);
	const called = name.toLowerCase();
	const wholeDocs: number[] = [];
	const { whole } = evidence.scores;
	for (const [number, { path, first, docs }] of evidence.context.snapshot.files.entries()) {
		const isCalled = path.toLowerCase().includes(called);
		if (isCalled || written.subarray(first, first + docs).includes(1)) whole.add(number);
		for (let doc = first; doc < first + docs; doc++) if (isCalled || written[doc] === 1) wholeDocs.push(doc);
	}
	evidence.scores.wholeDocs.push(wholeDocs);
}

/** Single letters between dashes, as in `T-1`, are no terms of a name, so such a name is looked for as written. */
function addShort(name: string, { context, scores }: NameEvidence): Uint8Array {
	const written = evaluateCondition({ kind: "phrase", text: name }, context);
	for (let doc = written.indexOf(1); doc >= 0; doc = written.indexOf(1, doc + 1))
		scores.add(doc, context.snapshot.fileOf[doc] ?? 0, 1);
	return written;
}

/**
 * The chunks and lines that have a qualified name as written, if nothing declares it and no path contains it: an error
 * code, a member of an imported package. Files that have it rank before files with only parts of it.
 */
export function findWrittenName(
	name: string,
	terms: readonly QueryTerm[],
	evidence: NameEvidence,
): ReadonlyMap<number, Pointed> {
	const places = written(name, 1, terms, evidence);
	if (places.size === 0) return places;
	const { scores, context } = evidence;
	// A file with only the last part as a whole word means another owner's member.
	scores.clearWhole();
	for (const doc of places.keys()) scores.whole.add(context.snapshot.fileOf[doc] ?? 0);
	scores.wholeDocs.push([...places.keys()]);
	return places;
}

/** Outweighs a file name that has the words. */
const RUN_NEARNESS = 2;

/** The chunks and lines that have a text without blanks, such as a route, as written. */
export function findWrittenRun(
	run: string,
	terms: readonly QueryTerm[],
	evidence: NameEvidence,
): ReadonlyMap<number, Pointed> {
	return written(run, RUN_NEARNESS, terms, evidence);
}

/** Empty if a file's path contains the text. */
function written(
	text: string,
	nearness: number,
	terms: readonly QueryTerm[],
	evidence: NameEvidence,
): ReadonlyMap<number, Pointed> {
	const called = [text, text.replaceAll(/\.|::|#|->|\\/g, "/")].map((one) => one.toLowerCase());
	const { files } = evidence.context.snapshot;
	if (files.some(({ path }) => called.some((one) => path.toLowerCase().includes(one)))) return NOWHERE;
	const pattern = makePhrasePattern(text, false);
	return linesOf(docsWith(pattern, terms, evidence), nearness, pattern, evidence.context);
}

/** The line of the pattern in each of these chunks. */
function linesOf(
	written: Uint8Array,
	nearness: number,
	pattern: RegExp,
	{ snapshot, texts }: ConditionContext,
): ReadonlyMap<number, Pointed> {
	const places = new Map<number, Pointed>();
	for (let doc = written.indexOf(1); doc >= 0; doc = written.indexOf(1, doc + 1)) {
		const text = texts.chunk(snapshot, doc);
		const { segment, local } = locateDocument(snapshot, doc);
		const before = text.slice(0, text.search(pattern)).split("\n").length - 1;
		places.set(doc, { nearness, line: (segment.columns.startLine[local] ?? 1) + before });
	}
	return places;
}

/** Reads the best chunks that have every term and keeps those that match the pattern. */
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
	return verifyCandidates(markAtLeast(best, findLeastOfBest(best, MOST_READ)), pattern, context);
}
