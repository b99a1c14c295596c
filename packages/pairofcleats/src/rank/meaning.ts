import type { Snapshot } from "../store/snapshot.ts";
import { type Embedder, embedQuery } from "../vectors/embedder.ts";
import type { VectorScan } from "../vectors/vectorScan.ts";
import { findLeastOfBest, type Scores } from "./score/scores.ts";

/** The query's vector, compared with the index. Absent when vectors are off. */
export type Meaning = {
	/** How similar a file is to the query; -1 for a file without vectors. */
	similarity(file: number): number;
	/** Gives the allowed chunks nearest in meaning a minimal score. */
	addNearest(allowed: Uint8Array, scores: Scores, count: number): void;
};

type Vectors = {
	readonly snapshot: Pick<Snapshot, "files" | "fileOf">;
	vectors(embedder: Embedder): VectorScan;
};

/** `undefined` when the model knows no word of the query. */
export function compareMeaning(index: Vectors, embedder: Embedder, query: string): Meaning | undefined {
	const vector = embedQuery(embedder, query);
	if (!vector) return undefined;
	const scan = index.vectors(embedder);
	scan.ask(vector);
	return {
		similarity: (file) => scan.ofFile(file),
		addNearest: (allowed, scores, count) => addNearest(index, scan, allowed, scores, count),
	};
}

/** Minimal, so that chunks found by meaning alone rank after chunks found by words. */
const FOUND_BY_MEANING = 1e-6;

function addNearest({ snapshot }: Vectors, scan: VectorScan, allowed: Uint8Array, scores: Scores, count: number): void {
	const similarities = scan.ofAll();
	// Starts with the nearest few; widens only if filters exclude too many of them.
	for (let most = 8 * count; ; most *= 8) {
		const docs = new Map<number, number>();
		for (const place of nearestPlaces(similarities, most)) {
			const doc = allowedDoc(snapshot, scan, place, allowed);
			if (doc >= 0 && !docs.has(doc) && docs.size < count) docs.set(doc, similarities[place] ?? 0);
		}
		if (docs.size < count && most < similarities.length) continue;
		for (const [doc, similarity] of docs) scores.add(doc, snapshot.fileOf[doc] ?? 0, FOUND_BY_MEANING * similarity);
		return;
	}
}

/** Places of the `most` greatest similarities above zero, greatest first. */
function nearestPlaces(similarities: Float32Array, most: number): number[] {
	const enough = Math.max(Number.MIN_VALUE, findLeastOfBest(similarities, most));
	const places: number[] = [];
	for (let place = 0; place < similarities.length; place++) {
		if ((similarities[place] ?? 0) >= enough) places.push(place);
	}
	return places.sort((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0) || a - b);
}

/**
 * The first allowed document that shares a line with the embedded passage, or -1. A comment's document comes after that
 * of its chunk.
 */
function allowedDoc(
	{ files, fileOf }: Vectors["snapshot"],
	{ docs, starts }: VectorScan,
	place: number,
	allowed: Uint8Array,
): number {
	const first = docs[place] ?? 0;
	const number = fileOf[first] ?? 0;
	const file = files[number];
	if (!file) return -1;
	const { base, columns } = file.segment;
	const isLast = place + 1 >= (starts[number + 1] ?? 0);
	const from = columns.startLine[first - base] ?? 0;
	const to = isLast ? Number.POSITIVE_INFINITY : (columns.startLine[(docs[place + 1] ?? 0) - base] ?? 0);
	for (let doc = file.first; doc < file.first + file.docs; doc++) {
		if (allowed[doc] !== 1) continue;
		if ((columns.endLine[doc - base] ?? 0) >= from && (columns.startLine[doc - base] ?? 0) <= to) return doc;
	}
	return -1;
}
