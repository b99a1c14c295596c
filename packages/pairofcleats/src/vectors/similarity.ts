import { quantum } from "./quantise.ts";

/** A query ready for comparing: whole numbers, which multiply faster with stored bytes than fractions do. */
export type Probe = { readonly numbers: Int32Array; readonly scale: number };

/** So fine that rounding the query costs nothing, and so coarse that no sum leaves 32 bits. */
const FINENESS = 4096;

export function probeOf(query: Float64Array): Probe {
	return {
		numbers: Int32Array.from(query, (value) => Math.round(value * FINENESS)),
		scale: 1 / (FINENESS * quantum(query.length)),
	};
}

/** Cosine of the query with one stored vector. */
export function similarity({ numbers, scale }: Probe, data: Int8Array, place: number): number {
	const dims = numbers.length;
	const from = place * dims;
	let even = 0;
	let odd = 0;
	let index = 0;
	for (; index < dims - 1; index += 2) {
		even = (even + Math.imul(numbers[index] ?? 0, data[from + index] ?? 0)) | 0;
		odd = (odd + Math.imul(numbers[index + 1] ?? 0, data[from + index + 1] ?? 0)) | 0;
	}
	if (index < dims) even += (numbers[index] ?? 0) * (data[from + index] ?? 0);
	return (even + odd) * scale;
}

/** The `count` vectors nearest to a query by an exact scan, best first; of equals, the first. */
export function nearest(
	probe: Probe,
	data: Int8Array,
	count: number,
	allowed: (place: number) => boolean,
): { place: number; score: number }[] {
	const places = Math.floor(data.length / probe.numbers.length);
	const best: { place: number; score: number }[] = [];
	let floor = Number.NEGATIVE_INFINITY;
	for (let place = 0; place < places; place++) {
		const score = similarity(probe, data, place);
		if ((best.length === count && score <= floor) || !allowed(place)) continue;
		let at = best.length;
		while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
		best.splice(at, 0, { place, score });
		if (best.length > count) best.pop();
		floor = best.at(-1)?.score ?? floor;
	}
	return best;
}
