/** One of the things a task asks for, and how well each document serves it. */
export type Need = { readonly text: string; readonly served: ReadonlyMap<number, number> };

/** Only the first documents are rearranged: nobody reads on beyond them. */
const REARRANGED = 60;
/** What serving a need that no document before it serves adds. */
const NEW_NEED = 0.3;

/** Documents in the order of their scores, but one that serves a need not yet served moves up. */
export function coverNeeds(order: readonly number[], scores: Float64Array, needs: readonly Need[]): readonly number[] {
	if (needs.length < 2) return order;
	const left = order.slice(0, REARRANGED);
	const served = needs.map(() => 0);
	const chosen: number[] = [];
	while (left.length > 0) {
		let [best, bestValue] = [0, Number.NEGATIVE_INFINITY];
		for (const [index, document] of left.entries()) {
			let value = scores[document] ?? 0;
			for (const [need, { served: own }] of needs.entries())
				value += (NEW_NEED / needs.length) * Math.max(0, (own.get(document) ?? 0) - (served[need] ?? 0));
			if (value > bestValue) [best, bestValue] = [index, value];
		}
		const [document = 0] = left.splice(best, 1);
		chosen.push(document);
		for (const [need, { served: own }] of needs.entries())
			served[need] = Math.max(served[need] ?? 0, own.get(document) ?? 0);
	}
	return [...chosen, ...order.slice(REARRANGED)];
}

/** The need that a document serves best. */
export function servedNeed(document: number, needs: readonly Need[]): string | undefined {
	let best: Need | undefined;
	for (const need of needs)
		if (best === undefined || (need.served.get(document) ?? 0) > (best.served.get(document) ?? 0)) best = need;
	return best?.text;
}
