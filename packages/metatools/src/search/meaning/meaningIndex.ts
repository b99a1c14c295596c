import type { SearchDocument } from "../strategy.ts";
import { terms } from "../text/words.ts";
import type { TokenTable } from "./tokenTable.ts";

/** Of one field: what stands far behind in a long description says little of the tool. */
const MOST_TERMS = 120;

/** The cosine between a task and every tool, by the vectors of their words. */
export class MeaningIndex {
	readonly #table: TokenTable;
	/** Unit vectors of the documents. */
	readonly #vectors: readonly Float32Array[];

	constructor(documents: readonly SearchDocument[], table: TokenTable) {
		this.#table = table;
		this.#vectors = documents.map((document) => this.#documentVector(document));
	}

	/** The cosine of a text with every tool; zero for all where no word of the text is known. */
	similarities(text: string): Float64Array {
		const asked = this.#taskVector(text);
		const cosines = new Float64Array(this.#vectors.length);
		for (let document = 0; document < cosines.length; document++) cosines[document] = this.#cosine(asked, document);
		return cosines;
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
		const { length } = asked;
		const own = this.#vectors[document] ?? asked;
		let [first, second, third, fourth] = [0, 0, 0, 0];
		// The casts spare a check for each number: they are inside of both arrays.
		for (let at = 0; at < length; at += 4) {
			first += (asked[at] as number) * (own[at] as number);
			second += (asked[at + 1] as number) * (own[at + 1] as number);
			third += (asked[at + 2] as number) * (own[at + 2] as number);
			fourth += (asked[at + 3] as number) * (own[at + 3] as number);
		}
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
