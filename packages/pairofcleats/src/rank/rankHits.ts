import type { Snapshot } from "../store/snapshot.ts";
import { type BestDocs, type Candidate, chooseFiles, type Ranked, rankFollowers } from "./chooseFiles.ts";
import { findLeastOfBest, type Scores } from "./score/scores.ts";
import { type Evidence, makeScorer } from "./signals.ts";
import { spreadHits } from "./spreadHits.ts";

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

/** With fewer matches than this, the chunks nearest in meaning are added. */
const FEW_MATCHES = 10;
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
	const certain = new Set<number>();
	for (const doc of sure) if (allowed[doc] === 1) certain.add(snapshot.fileOf[doc] ?? 0);
	const chosen = chooseFiles(best, scores, certain, weights);
	const scoreCandidates = makeScorer(evidence);
	scoreCandidates(chosen.files, chosen.files);
	// Without words there is no question that a document could answer.
	if (evidence.query.shape === "question" && evidence.query.terms.length > 0) liftProse(chosen.files, snapshot);
	let all: readonly Candidate[] | undefined;
	return {
		first: (most) => {
			// A file's best chunk has the file's whole score, so the chosen files suffice for that many results.
			if (most > chosen.files.length)
				all ??= [...chosen.files, ...rankFollowers(chosen, (others) => scoreCandidates(others, []))];
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

/** How many files of code come before the document. */
const PLACE = 4;
/** Relative to the best file of code. */
const ALMOST = 0.9;
const BEHIND = 1 - 1e-6;

/**
 * Puts the best document behind the first files of code, if without its demotion it would lead or nearly so. Most
 * questions are about code, but a document that answers one should be in sight.
 */
function liftProse(candidates: readonly Candidate[], snapshot: Snapshot): void {
	const code: number[] = [];
	let document: Candidate | undefined;
	let worth = 0;
	let path = "";
	for (const candidate of candidates) {
		const file = snapshot.files[candidate.file];
		if (file?.mode !== "prose") code.push(candidate.total);
		else if (file.role === "source") {
			const own = candidate.total / candidate.kept;
			// Ties go by path: the numbers of files depend on how the index came about.
			if (own < worth || (own === worth && file.path > path)) continue;
			document = candidate;
			worth = own;
			path = file.path;
		}
	}
	if (document === undefined || worth < ALMOST * Math.max(...code)) return;
	document.total = Math.max(document.total, BEHIND * findLeastOfBest(Float64Array.from(code), PLACE));
}
