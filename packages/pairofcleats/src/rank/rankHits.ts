import { CHUNK_KINDS } from "../parse/chunk.ts";
import type { Snapshot, SnapshotFile } from "../store/snapshot.ts";
import type { Candidate, Ranked } from "./candidate.ts";
import { type BestDocs, chooseFiles, followers } from "./chooseFiles.ts";
import type { Definitions } from "./definitions.ts";
import { demotion } from "./demotion.ts";
import type { QueryTerms } from "./gatheredTerms.ts";
import { leastOfBest } from "./leastOfBest.ts";
import { liftProse } from "./liftProse.ts";
import type { Meaning } from "./meaning.ts";
import type { Mentioned, NamedFile, Pointed } from "./mentionedFiles.ts";
import { pathMatcher } from "./pathMatch.ts";
import type { Scores } from "./scores.ts";
import { spreadHits } from "./spreadHits.ts";
import type { Weights } from "./weights.ts";

export type Ranking = {
	/** The first `most` results. The order does not depend on `most`. */
	first(most: number): Ranked[];
	/** Whether a document is among the results. */
	has(doc: number): boolean;
	/** Numbers of matching chunks and of their files. */
	readonly matches: number;
	readonly files: number;
	/** Whether no chunk was found by words. */
	readonly byMeaningAlone: boolean;
};

/** Everything that the ranking uses. */
export type Evidence = {
	readonly snapshot: Snapshot;
	/** The scores by the query's words. */
	readonly scores: Scores;
	/** 1 for each document that may be a result. */
	readonly allowed: Uint8Array;
	readonly query: QueryTerms;
	readonly definitions: Definitions;
	readonly mentioned: Mentioned;
	/** Chunks that contain the query's text. */
	readonly copied: ReadonlyMap<number, Pointed>;
	/** Absent when vectors are off. */
	readonly meaning: Meaning | undefined;
	readonly weights: Weights;
};

const TEST = CHUNK_KINDS.indexOf("test");
/** With fewer matches than this, the chunks nearest in meaning are added. */
const FEW_MATCHES = 10;
/** At most this many files gain from their vectors. */
const MOST_LIFTED = 100;

/** Ranks files by all evidence. Each file's best chunk gets the file's score, its other chunks less. */
export function rankHits(evidence: Evidence): Ranking {
	const { snapshot, scores, allowed, definitions, mentioned, copied, meaning, weights } = evidence;
	const pointed = copied.size === 0 ? mentioned.docs : new Map([...copied, ...mentioned.docs]);
	const sure = new Set([...definitions.docs.keys(), ...pointed.keys()]);
	let best = bestDocs(snapshot, scores, sure, allowed);
	const byMeaningAlone = best.matches === 0;
	if (meaning && best.matches < FEW_MATCHES) {
		meaning.addNearest(allowed, scores, FEW_MATCHES);
		best = bestDocs(snapshot, scores, sure, allowed);
	}
	const isSymbol = evidence.query.shape === "symbol";
	const asksForUses = evidence.query.asksForUses === true;
	const sureness = surenessByFile(snapshot, definitions, allowed);
	const certain = new Set<number>();
	for (const doc of sure) if (allowed[doc] === 1) certain.add(snapshot.fileOf[doc] ?? 0);
	const chosen = chooseFiles(best, scores, certain, weights);
	const lookAt = (candidates: readonly Candidate[]): void => addSignals(candidates, evidence, sureness);
	addWritten(chosen.files, evidence);
	lookAt(chosen.files);
	if (meaning) addVectors(chosen.files, meaning, evidence);
	// Without words there is no question that a document could answer.
	if (evidence.query.shape === "question" && evidence.query.terms.length > 0) liftProse(chosen.files, snapshot);
	let all: readonly Candidate[] | undefined;
	return {
		first: (most) => {
			// A file's best chunk has the file's whole score, so the chosen files suffice for that many results.
			if (most > chosen.files.length) all ??= [...chosen.files, ...followers(chosen, lookAt)];
			return spreadHits(
				all ?? chosen.files,
				{ snapshot, scores, definitions, pointed, allowed, isSymbol, asksForUses, weights },
				most,
			);
		},
		has: (doc) => allowed[doc] === 1 && (scores.docs[doc] !== 0 || sure.has(doc)),
		matches: best.matches,
		files: best.files,
		byMeaningAlone,
	};
}

/** The best chunk score of each file. The inner loop has no branches, as their outcome would be hard to predict. */
function bestDocs(
	{ firstOf, fileOf }: Snapshot,
	{ docs, docBits, files, found, best, bestBits }: Scores,
	sure: ReadonlySet<number>,
	allowed: Uint8Array,
): BestDocs {
	let count = 0;
	let matches = 0;
	for (let number = 0; number < files.length; number++) {
		if (files[number] === 0) continue;
		const end = firstOf[number + 1] ?? 0;
		let most = 0;
		for (let doc = firstOf[number] ?? 0; doc < end; doc++) {
			const bits = (docBits[doc] ?? 0) & -(allowed[doc] ?? 0);
			matches += -bits >>> 31;
			const more = bits - most;
			most += more & ~(more >> 31);
		}
		if (most === 0) continue;
		found[count] = number;
		bestBits[count] = most;
		count += 1;
	}
	const numbers = found.subarray(0, count);
	const extra = new Set<number>();
	for (const doc of sure) {
		if (allowed[doc] === 0 || docs[doc] !== 0) continue;
		matches += 1;
		extra.add(fileOf[doc] ?? 0);
	}
	const all = extra.size === 0 ? count : new Set([...numbers, ...extra]).size;
	return { numbers, scores: best.subarray(0, count), matches, files: all };
}

/** Raises files by how much more similar they are than most candidates. */
function addVectors(candidates: readonly Candidate[], meaning: Meaning, evidence: Evidence): void {
	const similar = new Float64Array(candidates.length);
	let best = -1;
	let least = 1;
	for (const [index, { file }] of candidates.entries()) {
		const similarity = meaning.similarity(file);
		similar[index] = similarity;
		best = Math.max(best, similarity);
		// A file without vectors must not lower the floor.
		if (similarity > -1) least = Math.min(least, similarity);
	}
	const floor = Math.max(least, leastOfBest(similar, MOST_LIFTED));
	if (best <= floor) return;
	const weight = vectorWeight(evidence);
	for (const [index, candidate] of candidates.entries()) {
		candidate.vector = (weight * Math.max(0, (similar[index] ?? 0) - floor)) / (best - floor);
		candidate.total += candidate.vector * candidate.kept;
	}
}

function vectorWeight({ query, definitions, weights }: Evidence): number {
	switch (query.shape) {
		case "symbol":
			return weights.vectorSymbol;
		case "report":
			return weights.vectorReport;
		case "question":
			return !query.isSpelled && definitions.docs.size > 0 ? weights.vectorNamed : weights.vector;
	}
}

/** The surest definition of each file that has one. */
function surenessByFile(snapshot: Snapshot, { docs }: Definitions, allowed: Uint8Array): Map<number, number> {
	const byFile = new Map<number, number>();
	for (const [doc, sure] of docs) {
		if (allowed[doc] !== 1) continue;
		const file = snapshot.fileOf[doc] ?? 0;
		byFile.set(file, Math.max(byFile.get(file) ?? 0, sure));
	}
	return byFile;
}

/** Adds the scores for paths and definitions, and the factor for the kind of file. */
function addSignals(
	candidates: readonly Candidate[],
	{ snapshot, scores: { whole }, query, definitions, mentioned, weights }: Evidence,
	sureness: ReadonlyMap<number, number>,
): void {
	const match = pathMatcher(query.keywords, snapshot.paths);
	const isReport = query.shape === "report";
	// A report that mentions tests does not ask for test files.
	const keptOf = demotion(new Set(isReport ? [] : query.keywords), weights);
	const pathWeight =
		(isReport ? weights.reportPath : 1) * Math.min(1, weights.longQueryWords / Math.max(query.keywords.length, 1));
	const inText = isReport
		? weights.definitionInReport
		: query.isSpelled
			? weights.definitionSpelled
			: weights.definitionInQuestion;
	const fileAsked = query.file === undefined ? undefined : onlyFile(query.file, mentioned, snapshot);
	const namesDeclared = query.shape === "question" && !query.isSpelled;
	const keptOfDeclaring = namesDeclared ? mostKept(definitions, keptOf, snapshot) : 1;
	for (const candidate of candidates) {
		const file = snapshot.files[candidate.file];
		if (!file) continue;
		const named = mentioned.files.get(candidate.file);
		const isFileAsked = candidate.file === fileAsked;
		const isAsked = isFileAsked || (query.asksForLines && named !== undefined && named.placed > 0);
		const { name, folder, covered } = match(file.pathWords());
		candidate.path =
			pathWeight * (weights.path * name + weights.pathFolder * folder + weights.pathCovered * covered * name) +
			mentionWeight(named, weights, isAsked ? weights.askedLine : weights.mentionedLine) +
			(isFileAsked ? weights.askedFile : 0) +
			(query.languages.has(file.language) ? weights.language : 0);
		const sure = sureness.get(candidate.file) ?? 0;
		candidate.definition =
			query.shape === "symbol"
				? weights.definition *
					sure *
					(1 + weights.definitionStem * covered + weights.definitionLength * Math.log2(1 + file.length))
				: inText * sure;
		const kept = sure > 0 ? keptOf(file) / keptOfDeclaring : keptOf(file);
		candidate.kept = (isAsked ? 1 : kept) * (whole.size === 0 || whole.has(candidate.file) ? 1 : weights.partsOnly);
		candidate.total = (candidate.words + candidate.path + candidate.definition) * candidate.kept;
	}
}

/** If only tests declare what a question names, it asks for them: the least demoted of those files is not demoted. */
function mostKept({ docs }: Definitions, keptOf: (file: SnapshotFile) => number, snapshot: Snapshot): number {
	let most = 0;
	for (const doc of docs.keys()) {
		const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
		// The title of a test declares nothing.
		if (!file || file.segment.columns.kind[doc - file.segment.base] === TEST) continue;
		most = Math.max(most, keptOf(file));
	}
	return most === 0 ? 1 : most;
}

/** Raises files that contain the query's text. */
function addWritten(candidates: readonly Candidate[], { snapshot, copied, weights }: Evidence): void {
	if (copied.size === 0) return;
	const shares = new Map<number, number>();
	for (const [doc, { nearness }] of copied) {
		const file = snapshot.fileOf[doc] ?? 0;
		shares.set(file, Math.max(shares.get(file) ?? 0, nearness));
	}
	for (const candidate of candidates) candidate.words += weights.writtenOut * (shares.get(candidate.file) ?? 0);
}

/** The file at a path, or else the only one of that name. */
function onlyFile(path: string, { files }: Mentioned, snapshot: Snapshot): number | undefined {
	const named = [...files.keys()].filter((file) => `/${snapshot.files[file]?.path}`.endsWith(`/${path}`));
	return named.find((file) => snapshot.files[file]?.path === path) ?? (named.length === 1 ? named[0] : undefined);
}

function mentionWeight(file: NamedFile | undefined, weights: Weights, line: number): number {
	return file === undefined ? 0 : weights.mention * file.named + line * file.placed;
}
