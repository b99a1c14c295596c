import type { Snapshot } from "../index/snapshot.ts";
import type { FileSimilarity } from "../rank/rankHits.ts";
import type { Scores } from "../rank/scoreTerms.ts";
import { type Embedder, embedQuery } from "./embedder.ts";
import type { FileVectors } from "./fileVectors.ts";
import { nearest, type Probe, probeOf, similarity } from "./similarity.ts";

type Vectors = {
	readonly snapshot: Pick<Snapshot, "files" | "segments" | "fileOf">;
	vectors(segment: number): FileVectors | undefined;
};

/** What a query is compared with by meaning; `undefined` when the model knows no word of it. */
export type Meaning = {
	readonly similarity: FileSimilarity;
	/** Where the words find too little, the stretches nearest in meaning are candidates too, by an exact scan. */
	addNearest(allowed: Uint8Array, scores: Scores, count: number): void;
};

export function meaningOf(index: Vectors, embedder: Embedder, query: string): Meaning | undefined {
	const vector = embedQuery(embedder, query);
	if (!vector) return undefined;
	const probe = probeOf(vector);
	const vectorsOf = (segment: number): FileVectors | undefined => {
		const vectors = index.vectors(segment);
		return vectors?.model === embedder.id ? vectors : undefined;
	};
	return {
		similarity: (files) => similarFiles(index, vectorsOf, probe, files),
		addNearest: (allowed, scores, count) => addNearest(index, vectorsOf, probe, allowed, scores, count),
	};
}

type VectorsOf = (segment: number) => FileVectors | undefined;

/** A file is as similar as its most similar stretch. */
function similarFiles(
	{ snapshot }: Vectors,
	vectorsOf: VectorsOf,
	probe: Probe,
	files: readonly number[],
): Map<number, number> {
	const similar = new Map<number, number>();
	for (const number of files) {
		const file = snapshot.files[number];
		const vectors = file && vectorsOf(file.segment.id);
		if (!file || !vectors) continue;
		const end = vectors.starts[file.ordinal + 1] ?? 0;
		let best = -1;
		for (let place = vectors.starts[file.ordinal] ?? end; place < end; place++) {
			best = Math.max(best, similarity(probe, vectors.data, place));
		}
		if (best > -1) similar.set(number, best);
	}
	return similar;
}

/** A trace of a score, so that what only its meaning found stands behind what the words found. */
const FOUND_BY_MEANING = 1e-6;

function addNearest(
	{ snapshot }: Vectors,
	vectorsOf: VectorsOf,
	probe: Probe,
	allowed: Uint8Array,
	scores: Scores,
	count: number,
): void {
	const found: { doc: number; score: number }[] = [];
	for (const { id, base } of snapshot.segments) {
		const vectors = vectorsOf(id);
		if (!vectors) continue;
		const docAt = (place: number): number => allowedDoc(snapshot, base, vectors, place, allowed);
		for (const { place, score } of nearest(probe, vectors.data, count, (place) => docAt(place) >= 0)) {
			if (score > 0) found.push({ doc: docAt(place), score });
		}
	}
	found.sort((a, b) => b.score - a.score || a.doc - b.doc);
	for (const { doc, score } of found.slice(0, count)) {
		if (scores.matched[doc] !== 0) continue;
		scores.matched[doc] = 1;
		scores.docs[doc] = FOUND_BY_MEANING * score;
		scores.found.push(doc);
	}
}

/** The first document let through that shares a line with a stretch, or -1. Comments come after the chunks they are in. */
function allowedDoc(
	{ files, fileOf }: Vectors["snapshot"],
	base: number,
	{ docs, starts }: FileVectors,
	place: number,
	allowed: Uint8Array,
): number {
	const first = base + (docs[place] ?? 0);
	const file = files[fileOf[first] ?? 0];
	if (!file) return -1;
	const { startLine, endLine } = file.segment.columns;
	const isLast = place + 1 >= (starts[file.ordinal + 1] ?? 0);
	const from = startLine[first - base] ?? 0;
	const to = isLast ? Number.POSITIVE_INFINITY : (startLine[docs[place + 1] ?? 0] ?? 0);
	for (let doc = file.first; doc < file.first + file.docs; doc++) {
		if (allowed[doc] !== 1) continue;
		if ((endLine[doc - base] ?? 0) >= from && (startLine[doc - base] ?? 0) <= to) return doc;
	}
	return -1;
}
