import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";
import type { Mentions } from "./mentions.ts";

export type QueryTerm = { readonly term: string; readonly weight: number; readonly whole: boolean };

/** What a query is looked up by. */
export type QueryTerms = {
	readonly terms: readonly QueryTerm[];
	/** Terms that likely speak of the same; they count less, and only where they are found. */
	readonly related: readonly QueryTerm[];
	/** Words as written that name a symbol: all of the query, or an identifier inside a question. */
	readonly symbols: readonly string[];
	/** `symbol` when the query is one identifier, `report` when it is a text that somebody pasted. */
	readonly shape: "symbol" | "question" | "report";
	/** Words that matter, split, not stemmed: what paths are compared with. */
	readonly keywords: readonly string[];
	/** Languages that the query names. */
	readonly languages: ReadonlySet<string>;
	/** The name with dashes that is all of the query, if it is one: the index has only the words between them. */
	readonly dashed: string | undefined;
	/** The name with its owners that is all of the query, if it is one. */
	readonly owned: string | undefined;
	/** Files that the query names, if it names any. */
	readonly mentions: Mentions | undefined;
	/** Whether a line that it names is what it asks for; in a story it is where that began. */
	readonly asksForLines: boolean;
	/** The text whose meaning is looked for. */
	readonly meant: string;
};

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
