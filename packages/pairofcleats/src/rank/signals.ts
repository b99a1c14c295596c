import { CHUNK_KINDS } from "../parse/chunk.ts";
import type { Snapshot, SnapshotFile } from "../store/snapshot.ts";
import type { Candidate } from "./chooseFiles.ts";
import { makeDemotion } from "./demotion.ts";
import type { Meaning } from "./meaning.ts";
import type { Mentioned, Pointed } from "./mentions/mentionedFiles.ts";
import type { Definitions } from "./names/definitions.ts";
import { makePathMatcher, type PathMatch } from "./pathMatch.ts";
import { findLeastOfBest, type Scores } from "./score/scores.ts";
import type { QueryTerms } from "./terms/gatheredTerms.ts";
import type { Weights } from "./weights.ts";

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

/** One kind of evidence that a file is the one that is looked for. */
export type Signal = {
	readonly name: string;
	/** The part of the score that it adds to, as `explain` shows the parts. */
	readonly part: "words" | "path" | "definition" | "vector";
	/** The weights that it is multiplied by. */
	readonly weights: readonly (keyof Weights)[];
	/** Why a file that has it is likelier. */
	readonly reason: string;
	/** What the benchmark's nDCG@10 loses without it; `null` where that has not been measured. */
	readonly ablation: number | null;
	/** Prepares it for one query; `undefined` if the query has nothing of the kind. */
	readonly measure: (asked: AskedQuery) => Measure | undefined;
};

/** What a signal adds for one file, by its number. */
type Measure = (file: SnapshotFile, number: number) => number;

/** The query, with what several signals need of it. */
type AskedQuery = {
	readonly evidence: Evidence;
	/** The files that are compared in detail; empty for those that come after them. */
	readonly compared: readonly Candidate[];
	/** The surest definition of each file that has one. */
	readonly sureness: ReadonlyMap<number, number>;
	/** The file that the whole query names. */
	readonly onlyFile: number | undefined;
	/** Whether the query asks for this file, or for a line of it. */
	readonly isAsked: (number: number) => boolean;
	readonly matchPath: (file: SnapshotFile) => PathMatch;
};

/** All signals, in the order in which they are added up. A signal is added or removed by its row. */
export const SIGNALS: readonly Signal[] = [
	{
		name: "written",
		part: "words",
		weights: ["writtenOut"],
		reason: "It has the text of the query as it is written, such as a log message.",
		ablation: null,
		measure: measureWritten,
	},
	{
		name: "path",
		part: "path",
		weights: ["path", "pathFolder", "pathCovered", "longQueryWords", "reportPath"],
		reason: "Its name and folders have words of the query.",
		ablation: null,
		measure: measurePath,
	},
	{
		name: "mention",
		part: "path",
		weights: ["mention", "mentionedLine", "askedLine"],
		reason: "The query names it or a line of it, as a stack trace does.",
		ablation: null,
		measure: measureMention,
	},
	{
		name: "askedFile",
		part: "path",
		weights: ["askedFile"],
		reason: "The query is nothing but its name.",
		ablation: null,
		measure: measureAskedFile,
	},
	{
		name: "language",
		part: "path",
		weights: ["language"],
		reason: "It is in a language that the query names.",
		ablation: null,
		measure: measureLanguage,
	},
	{
		name: "definition",
		part: "definition",
		weights: [
			"definition",
			"definitionInQuestion",
			"definitionInReport",
			"definitionSpelled",
			"definitionStem",
			"definitionLength",
		],
		reason: "It defines what the query names.",
		ablation: null,
		measure: measureDefinition,
	},
	{
		name: "meaning",
		part: "vector",
		weights: ["vector", "vectorNamed", "vectorSymbol", "vectorReport"],
		reason: "Its passages are nearer in meaning to the query than those of most other files.",
		ablation: null,
		measure: measureMeaning,
	},
];

/** Returns a function that scores files by all signals, and lessens those of kinds that are rarely looked for. */
export function makeScorer(
	evidence: Evidence,
): (candidates: readonly Candidate[], compared: readonly Candidate[]) => void {
	const { snapshot, scores, weights } = evidence;
	const sureness = findSureness(evidence);
	const findKept = makeKept(evidence, sureness);
	const onlyFile = findOnlyFile(evidence);
	const isAsked = makeAskedTest(evidence, onlyFile);
	const matchPath = makePathMatch(evidence);
	return (candidates, compared) => {
		const asked: AskedQuery = { evidence, compared, sureness, onlyFile, isAsked, matchPath };
		const measured = SIGNALS.flatMap(({ part, measure }) => {
			const prepared = measure(asked);
			return prepared === undefined ? [] : [{ part, prepared }];
		});
		for (const candidate of candidates) {
			const number = candidate.file;
			const file = snapshot.files[number];
			if (!file) continue;
			for (const { part, prepared } of measured) candidate[part] += prepared(file, number);
			const isPart = scores.whole.size > 0 && !scores.whole.has(number);
			candidate.kept = (isAsked(number) ? 1 : findKept(file, number)) * (isPart ? weights.partsOnly : 1);
			const { words, path, definition, vector, kept } = candidate;
			candidate.total = (words + path + definition) * kept + vector * kept;
		}
	};
}

function measureWritten({ evidence: { snapshot, copied, weights } }: AskedQuery): Measure | undefined {
	if (copied.size === 0) return undefined;
	const shares = new Map<number, number>();
	for (const [doc, { nearness }] of copied) {
		const file = snapshot.fileOf[doc] ?? 0;
		shares.set(file, Math.max(shares.get(file) ?? 0, nearness));
	}
	return (_file, number) => weights.writtenOut * (shares.get(number) ?? 0);
}

function measurePath({ evidence: { query, weights }, matchPath }: AskedQuery): Measure {
	const weight =
		(query.shape === "report" ? weights.reportPath : 1) *
		Math.min(1, weights.longQueryWords / Math.max(query.keywords.length, 1));
	return (file) => {
		const { name, folder, covered } = matchPath(file);
		return weight * (weights.path * name + weights.pathFolder * folder + weights.pathCovered * covered * name);
	};
}

function measureMention({ evidence: { mentioned, weights }, isAsked }: AskedQuery): Measure | undefined {
	if (mentioned.files.size === 0) return undefined;
	return (_file, number) => {
		const found = mentioned.files.get(number);
		if (found === undefined) return 0;
		return weights.mention * found.named + (isAsked(number) ? weights.askedLine : weights.mentionedLine) * found.placed;
	};
}

function measureAskedFile({ evidence: { weights }, onlyFile }: AskedQuery): Measure | undefined {
	return onlyFile === undefined ? undefined : (_file, number) => (number === onlyFile ? weights.askedFile : 0);
}

function measureLanguage({ evidence: { query, weights } }: AskedQuery): Measure | undefined {
	if (query.languages.size === 0) return undefined;
	return ({ language }) => (query.languages.has(language) ? weights.language : 0);
}

function measureDefinition({ evidence: { query, weights }, sureness, matchPath }: AskedQuery): Measure | undefined {
	if (sureness.size === 0) return undefined;
	if (query.shape === "symbol") {
		return (file, number) => {
			const length = weights.definitionLength * Math.log2(1 + file.length);
			const likeness = 1 + weights.definitionStem * matchPath(file).covered + length;
			return weights.definition * (sureness.get(number) ?? 0) * likeness;
		};
	}
	const inQuestion = query.isSpelled ? weights.definitionSpelled : weights.definitionInQuestion;
	const weight = query.shape === "report" ? weights.definitionInReport : inQuestion;
	return (_file, number) => weight * (sureness.get(number) ?? 0);
}

/** At most this many files gain from their vectors. */
const MOST_LIFTED = 100;

/** How much more similar a file is than most of those it is compared with. */
function measureMeaning({ evidence, compared }: AskedQuery): Measure | undefined {
	const { meaning } = evidence;
	if (meaning === undefined || compared.length === 0) return undefined;
	const similar = new Map<number, number>();
	let best = -1;
	let least = 1;
	for (const { file } of compared) {
		const similarity = meaning.similarity(file);
		similar.set(file, similarity);
		best = Math.max(best, similarity);
		// A file without vectors must not lower the floor.
		if (similarity > -1) least = Math.min(least, similarity);
	}
	const floor = Math.max(least, findLeastOfBest(Float64Array.from(similar.values()), MOST_LIFTED));
	if (best <= floor) return undefined;
	const weight = chooseVectorWeight(evidence);
	return (_file, number) => (weight * Math.max(0, (similar.get(number) ?? 0) - floor)) / (best - floor);
}

function chooseVectorWeight({ query, definitions, weights }: Evidence): number {
	switch (query.shape) {
		case "symbol":
			return weights.vectorSymbol;
		case "report":
			return weights.vectorReport;
		case "question":
			return !query.isSpelled && definitions.docs.size > 0 ? weights.vectorNamed : weights.vector;
	}
}

function findSureness({ snapshot, definitions: { docs }, allowed }: Evidence): Map<number, number> {
	const byFile = new Map<number, number>();
	for (const [doc, sure] of docs) {
		if (allowed[doc] !== 1) continue;
		const file = snapshot.fileOf[doc] ?? 0;
		byFile.set(file, Math.max(byFile.get(file) ?? 0, sure));
	}
	return byFile;
}

/** The file at the path that is the whole query, or else the only one of that name. */
function findOnlyFile({ query, mentioned, snapshot }: Evidence): number | undefined {
	const path = query.file;
	if (path === undefined) return undefined;
	const named = [...mentioned.files.keys()].filter((file) => `/${snapshot.files[file]?.path}`.endsWith(`/${path}`));
	return named.find((file) => snapshot.files[file]?.path === path) ?? (named.length === 1 ? named[0] : undefined);
}

function makeAskedTest(
	{ query: { asksForLines }, mentioned: { files } }: Evidence,
	onlyFile: number | undefined,
): (number: number) => boolean {
	return (number) => number === onlyFile || (asksForLines && (files.get(number)?.placed ?? 0) > 0);
}

/** Signals ask for the same file one after the other. */
function makePathMatch({ query, snapshot }: Evidence): (file: SnapshotFile) => PathMatch {
	const match = makePathMatcher(query.keywords, snapshot.paths);
	let last: { readonly file: SnapshotFile; readonly match: PathMatch } | undefined;
	return (file) => {
		if (last?.file !== file) last = { file, match: match(file.pathWords()) };
		return last.match;
	};
}

const TEST = CHUNK_KINDS.indexOf("test");

/** The factor for the kind of file. */
function makeKept(
	{ snapshot, query, definitions, weights }: Evidence,
	sureness: ReadonlyMap<number, number>,
): (file: SnapshotFile, number: number) => number {
	// A report that mentions tests does not ask for test files.
	const findDemotion = makeDemotion(new Set(query.shape === "report" ? [] : query.keywords), weights);
	const namesDeclared = query.shape === "question" && !query.isSpelled;
	const most = namesDeclared ? findMostKept(definitions, findDemotion, snapshot) : 1;
	return (file, number) => ((sureness.get(number) ?? 0) > 0 ? findDemotion(file) / most : findDemotion(file));
}

/** If only tests declare what a question names, it asks for them: the least demoted of those files is not demoted. */
function findMostKept({ docs }: Definitions, findDemotion: (file: SnapshotFile) => number, snapshot: Snapshot): number {
	let most = 0;
	for (const doc of docs.keys()) {
		const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
		// The title of a test declares nothing.
		if (!file || file.segment.columns.kind[doc - file.segment.base] === TEST) continue;
		most = Math.max(most, findDemotion(file));
	}
	return most === 0 ? 1 : most;
}
