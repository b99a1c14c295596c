import type { SegmentVectors } from "./vectorLog.ts";

/** A segment's vectors and where those of each of its files begin; one entry more says where the last ones end. */
export type FileVectors = SegmentVectors & { readonly starts: Uint32Array };

export function fileVectors(
	vectors: SegmentVectors,
	files: readonly { readonly firstDoc: number; readonly docs: number }[],
): FileVectors {
	const starts = new Uint32Array(files.length + 1);
	let place = 0;
	for (const [ordinal, { firstDoc, docs }] of files.entries()) {
		while ((vectors.docs[place] ?? Number.POSITIVE_INFINITY) < firstDoc) place += 1;
		starts[ordinal] = place;
		while ((vectors.docs[place] ?? Number.POSITIVE_INFINITY) < firstDoc + docs) place += 1;
	}
	starts[files.length] = place;
	return { ...vectors, starts };
}
