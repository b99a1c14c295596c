import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";

export type QueryTerm = { readonly term: string; readonly weight: number; readonly whole: boolean };

const IDENTIFIER_SHAPE = /^(?:[a-z]+[A-Z]|[A-Z][a-z0-9]+[A-Z]|[A-Z]{2,}[a-z])|_[A-Za-z]|[A-Za-z]_/;

/** The terms of a text's words, and what else is learnt of the words on the way. */
export class GatheredTerms {
	/** Words that matter, split, not stemmed. */
	readonly keywords = new Set<string>();
	/** Words that nobody writes but to name something in code. */
	readonly identifiers = new Set<string>();
	readonly #sums = new Map<string, { sum: number; whole: boolean }>();

	add(word: string, count: number): void {
		const parts = splitIdentifier(word);
		for (const part of parts) {
			if (parts.length > 1 && part.length < 2) continue;
			this.#count(stem(part), count, false);
			if (part.length > 2) this.keywords.add(part);
		}
		if (parts.length > 1) this.#count(parts.join(""), count, true);
		if (word.length > 2 && IDENTIFIER_SHAPE.test(word)) this.identifiers.add(word);
	}

	/** A term that comes often counts more, but less than so many times; `power` says how much less. */
	terms(power: number): QueryTerm[] {
		return [...this.#sums].map(([term, { sum, whole }]) => ({ term, weight: sum ** power, whole }));
	}

	#count(term: string, count: number, whole: boolean): void {
		const known = this.#sums.get(term);
		this.#sums.set(term, { sum: (known?.sum ?? 0) + count, whole: (known?.whole ?? true) && whole });
	}
}
