/** Cosine of a query's unit vector with one stored chunk. */
export function cosine(query: Float32Array, data: Int8Array, doc: number): number {
	const dims = query.length;
	const from = doc * dims;
	let dot = 0;
	let norm = 0;
	for (let index = 0; index < dims; index++) {
		const value = data[from + index] ?? 0;
		dot += (query[index] ?? 0) * value;
		norm += value * value;
	}
	return norm === 0 ? 0 : dot / Math.sqrt(norm);
}

/** The `count` chunks nearest to a query by an exact scan, best first; ties by document. */
export function nearest(
	query: Float32Array,
	data: Int8Array,
	count: number,
	allowed: (doc: number) => boolean,
): { doc: number; score: number }[] {
	const docs = Math.floor(data.length / query.length);
	const best: { doc: number; score: number }[] = [];
	let floor = Number.NEGATIVE_INFINITY;
	for (let doc = 0; doc < docs; doc++) {
		if (!allowed(doc)) continue;
		const score = cosine(query, data, doc);
		if (best.length === count && score <= floor) continue;
		let at = best.length;
		while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
		best.splice(at, 0, { doc, score });
		if (best.length > count) best.pop();
		floor = best.at(-1)?.score ?? floor;
	}
	return best;
}
