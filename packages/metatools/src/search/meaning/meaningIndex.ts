import type { SearchDocument } from "../strategy.ts";
import { terms } from "../text/words.ts";
import type { TokenTable } from "./tokenTable.ts";

/** Of one field: what stands far behind in a long description says little of the tool. */
const MOST_TERMS = 120;

/** The cosine between a task and every tool, by the vectors of their words. */
export class MeaningIndex {
	readonly #table: TokenTable;
	readonly #size: number;
	/** Unit vectors of the documents, one after the other. */
	readonly #vectors: Float32Array;

	constructor(documents: readonly SearchDocument[], table: TokenTable) {
		this.#table = table;
		this.#size = documents.length;
		this.#vectors = new Float32Array(documents.length * table.dims);
		for (const [at, document] of documents.entries())
			this.#vectors.set(this.#documentVector(document), at * table.dims);
	}

	/** The cosine of a text with every tool; zero for all where no word of the text is known. */
	similarities(text: string): Float64Array {
		const asked = this.#taskVector(text);
		return Float64Array.from({ length: this.#size }, (_, document) => this.#cosine(asked, document));
	}

	/** The cosines of a text with some tools. */
	similaritiesTo(documents: readonly number[], text: string): readonly number[] {
		const asked = this.#taskVector(text);
		return documents.map((document) => this.#cosine(asked, document));
	}

	#taskVector(text: string): Float32Array {
		const vector = new Float32Array(this.#table.dims);
		for (const term of new Set(terms(text))) this.#add(term, vector, (row) => this.#table.taskWeight(row));
		return normalise(vector);
	}

	/** Both vectors have length 1. Four sums at a time, which the processor adds side by side. */
	#cosine(asked: Float32Array, document: number): number {
		const vectors = this.#vectors;
		const { dims } = this.#table;
		const start = document * dims;
		let [first, second, third, fourth] = [0, 0, 0, 0];
		let at = 0;
		for (; at + 3 < dims; at += 4) {
			first += (asked[at] ?? 0) * (vectors[start + at] ?? 0);
			second += (asked[at + 1] ?? 0) * (vectors[start + at + 1] ?? 0);
			third += (asked[at + 2] ?? 0) * (vectors[start + at + 2] ?? 0);
			fourth += (asked[at + 3] ?? 0) * (vectors[start + at + 3] ?? 0);
		}
		for (; at < dims; at++) first += (asked[at] ?? 0) * (vectors[start + at] ?? 0);
		return first + second + third + fourth;
	}

	#documentVector(document: SearchDocument): Float32Array {
		const vector = new Float32Array(this.#table.dims);
		const parameters = document.parameters.map(({ name, description }) => `${name} ${description}`).join(" ");
		// Not the namespace: the same tool of two servers is as near for either.
		const name = `${document.name} ${document.declaredName ?? ""}`;
		for (const [index, text] of [name, document.description, parameters].entries()) {
			const fieldWeight = this.#table.fieldWeights[index] ?? 0;
			for (const term of terms(text).slice(0, MOST_TERMS))
				this.#add(term, vector, (row) => fieldWeight * this.#table.toolWeight(row));
		}
		return normalise(vector);
	}

	#add(term: string, into: Float32Array, weightOf: (row: number) => number): void {
		const row = this.#table.row(term);
		if (row < 0) return;
		const { dims, table } = this.#table;
		const weight = weightOf(row);
		for (let at = 0; at < dims; at++) into[at] = (into[at] ?? 0) + weight * (table[row * dims + at] ?? 0);
	}
}

function normalise(vector: Float32Array): Float32Array {
	const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
	if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
	return vector;
}
