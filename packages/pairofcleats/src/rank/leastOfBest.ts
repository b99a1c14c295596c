/** The least of the `most` greatest values, found without a full sort. -Infinity when there are no more than `most`. */
export function leastOfBest(values: Float32Array | Float64Array, most: number): number {
	if (values.length <= most) return Number.NEGATIVE_INFINITY;
	// A min-heap: most values are below its top and cost one comparison.
	const heap = values.slice(0, most).sort();
	for (let index = most; index < values.length; index++) {
		const value = values[index] ?? 0;
		if (value > (heap[0] ?? 0)) replaceTop(heap, value);
	}
	return heap[0] ?? 0;
}

function replaceTop(heap: Float32Array | Float64Array, value: number): void {
	let place = 0;
	for (;;) {
		let child = 2 * place + 1;
		if (child >= heap.length) break;
		if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
		if ((heap[child] ?? 0) >= value) break;
		heap[place] = heap[child] ?? 0;
		place = child;
	}
	heap[place] = value;
}
