import { detached } from "./detached.ts";
import { type FactField, factTerm } from "./factTerms.ts";
import type { SegmentKernel } from "./segmentKernel.ts";
import { compareUtf8 } from "./utf8Order.ts";
import { widened } from "./widened.ts";

const RARE = /[\ud800-\uffff]/;

/** The terms of one segment under construction, numbered in order of appearance. */
export class Vocabulary {
	readonly #kernel: SegmentKernel;
	/** The values of facts, numbered once for all fields, because most names occur in several fields. */
	readonly #names = new Map<string, number>();
	/** Per field, indexed by name number: the fact's term number plus one, or 0 if there is none. */
	readonly #facts = new Map<FactField, Uint32Array>();

	constructor(kernel: SegmentKernel) {
		this.#kernel = kernel;
	}

	/** The number of a fact's term. */
	fact(field: FactField, value: string): number {
		const name = this.#name(value);
		let terms = this.#facts.get(field);
		if (!terms || name >= terms.length) {
			terms = terms ? widened(terms, name + 1) : new Uint32Array(Math.max(name + 1, 1 << 8));
			this.#facts.set(field, terms);
		}
		const known = terms[name] ?? 0;
		if (known > 0) return known - 1;
		const term = this.#kernel.exports.newTerm(0);
		terms[name] = term + 1;
		return term;
	}

	/** Terms with their numbers in the store's order: facts by field, then words. */
	*sorted(): Generator<readonly [string, number]> {
		const fields = [...this.#facts].sort(([a], [b]) => compareUtf8(factTerm(a, ""), factTerm(b, "")));
		const names = inOrder(this.#names);
		const order = Uint32Array.from(names, (name) => this.#names.get(name) ?? 0);
		for (const [field, terms] of fields) {
			for (let at = 0; at < order.length; at++) {
				const term = terms[order[at] ?? 0] ?? 0;
				if (term > 0) yield [factTerm(field, names[at] ?? ""), term - 1];
			}
		}
		const { exports } = this.#kernel;
		const count = exports.sortTerms();
		for (let index = 0; index < count; index++) {
			const term = exports.orderedTerm(index);
			const at = exports.termAt(term);
			yield [this.#kernel.bytes.toString("utf8", at, at + exports.termLength(term)), term];
		}
	}

	clear(): void {
		this.#names.clear();
		for (const terms of this.#facts.values()) terms.fill(0);
	}

	#name(value: string): number {
		const known = this.#names.get(value);
		if (known !== undefined) return known;
		const kept = detached(value);
		// With lone surrogates replaced, it may equal a known name.
		if (kept !== value) return this.#name(kept);
		const name = this.#names.size;
		this.#names.set(kept, name);
		return name;
	}
}

/** The default sort is several times faster, and only wrong for characters beyond the basic plane. */
function inOrder(ids: ReadonlyMap<string, number>): string[] {
	const texts = [...ids.keys()].sort();
	return texts.some((text) => RARE.test(text)) ? texts.sort(compareUtf8) : texts;
}
