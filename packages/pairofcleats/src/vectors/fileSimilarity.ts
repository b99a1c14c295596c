import type { Snapshot } from "../index/snapshot.ts";
import type { FileSimilarity } from "../rank/rankHits.ts";
import type { Scores } from "../rank/scoreTerms.ts";
import { type Embedder, embedQuery } from "./embedder.ts";
import { cosine, nearest } from "./similarity.ts";
import type { SegmentVectors } from "./vectorLog.ts";

type Vectors = {
	readonly snapshot: Pick<Snapshot, "files" | "segments" | "fileOf">;
	vectors(segment: number): SegmentVectors | undefined;
};

/** A file is as similar as its most similar chunk. `undefined` when the model knows no word of the query. */
export function fileSimilarity(index: Vectors, embedder: Embedder, query: string): FileSimilarity | undefined {
	const vector = embedQuery(embedder, query);
	if (!vector) return undefined;
	return (files) => {
		const similar = new Map<number, number>();
		for (const number of files) {
			const file = index.snapshot.files[number];
			const vectors = file && index.vectors(file.segment.id);
			if (!file || vectors?.model !== embedder.id) continue;
			let best = -1;
			for (let doc = file.firstDoc; doc < file.firstDoc + file.docs; doc++) {
				best = Math.max(best, cosine(vector, vectors.data, doc));
			}
			similar.set(number, best);
		}
		return similar;
	};
}

/** A trace of a score, so that what only its meaning found stands behind what the words found. */
const FOUND_BY_MEANING = 1e-6;

/** Where the words find too little, the chunks nearest in meaning are candidates too, by an exact scan. */
export function addNearest(
	index: Vectors,
	embedder: Embedder,
	query: string,
	allowed: Uint8Array,
	scores: Scores,
	count: number,
): void {
	const vector = embedQuery(embedder, query);
	if (!vector) return;
	const found: { doc: number; score: number }[] = [];
	for (const { id, base } of index.snapshot.segments) {
		const vectors = index.vectors(id);
		if (vectors?.model !== embedder.id) continue;
		for (const { doc, score } of nearest(vector, vectors.data, count, (local) => allowed[base + local] === 1)) {
			if (score > 0) found.push({ doc: base + doc, score });
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
