/**
 * The factor that turns a unit vector's component into a signed byte. It depends only on the number of dimensions, so
 * stored vectors need no scale of their own. Larger components are clamped.
 */
export function quantum(dims: number): number {
	return 127 / Math.min(1, 8 / Math.sqrt(dims));
}

export function quantise(vector: Float64Array, into: Int8Array): void {
	const scale = quantum(vector.length);
	for (let index = 0; index < vector.length; index++) {
		into[index] = Math.max(-127, Math.min(127, Math.round((vector[index] ?? 0) * scale)));
	}
}
