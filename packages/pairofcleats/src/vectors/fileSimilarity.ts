import type { SnapshotFile } from "../index/snapshot.ts";
import type { FileSimilarity } from "../rank/rankHits.ts";
import { type Embedder, embedQuery } from "./embedder.ts";
import { cosine } from "./similarity.ts";
import type { SegmentVectors } from "./vectorLog.ts";

type Vectors = {
	readonly snapshot: { readonly files: readonly SnapshotFile[] };
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
