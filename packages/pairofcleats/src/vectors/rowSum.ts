import { addRow, type Embedder } from "./embedder.ts";
import { copyRows, rowBytes, vectorKernel } from "./vectorKernel.ts";

/** A sum of weighted rows of an embedder's table. */
export type RowSum = {
	readonly vector: Float64Array;
	add(row: number, weight: number): void;
};

/** One per embedder, because it copies the table, which would take longer than embedding an edited file. */
const sums = new WeakMap<Embedder, RowSum>();

/** The embedder's shared sum. Valid until the next caller uses it. */
export function rowSumOf(embedder: Embedder): RowSum {
	let sum = sums.get(embedder);
	if (!sum) {
		sum = embedder.table instanceof Int8Array ? sumOfBytes(embedder.table, embedder.dims) : sumOfFloats(embedder);
		sums.set(embedder, sum);
	}
	return sum;
}

function sumOfBytes(table: Int8Array, dims: number): RowSum {
	const row = rowBytes(dims);
	const tableAt = 8 * row;
	const { buffer, addRow } = vectorKernel(tableAt + (table.length / dims) * row);
	copyRows(table, dims, new Int8Array(buffer, tableAt));
	return {
		vector: new Float64Array(buffer, 0, dims),
		add: (number, weight) => addRow(tableAt + number * row, tableAt + (number + 1) * row, weight, 0),
	};
}

function sumOfFloats(embedder: Embedder): RowSum {
	const vector = new Float64Array(embedder.dims);
	return { vector, add: (row, weight) => addRow(embedder, row, weight, vector) };
}
