import type { ChunkKind } from "../../parse/chunk.ts";
import { stemWord } from "../../tokens/wordForms.ts";
import { splitIdentifier } from "../../tokens/words.ts";
import type { Mentions } from "../mentions/mentions.ts";

export type QueryTerm = { readonly term: string; readonly weight: number; readonly whole: boolean };

/** Everything the index is searched for on behalf of a query. */
export type QueryTerms = {
	readonly terms: readonly QueryTerm[];
	/** Related terms. They count less, and only if the index has them. */
	readonly related: readonly QueryTerm[];
	/** Words, as written, that name a symbol: the whole query, or an identifier in a question. */
	readonly symbols: readonly string[];
	/** The kinds of declaration that the query names: `class Model` asks for a class. */
	readonly kinds?: ReadonlySet<ChunkKind> | undefined;
	/** Whether the query asks who uses the symbol. */
	readonly asksForUses?: boolean;
	/** Whether the symbols are the query's plain words put together: `parse duration` may mean `ParseDuration`. */
	readonly isSpelled: boolean;
	/** `symbol` when the query is one identifier, `report` when it is a pasted text. */
	readonly shape: "symbol" | "question" | "report";
	/** The significant words, split but not stemmed, to compare with paths. */
	readonly keywords: readonly string[];
	/** Languages that the query names. */
	readonly languages: ReadonlySet<string>;
	/** The query, if it is one dashed name. The index has only the words between the dashes. */
	readonly dashed: string | undefined;
	/** The query, if it is one qualified name. */
	readonly owned: string | undefined;
	/** The query, if it has no blanks but is not a name: a route, a media type. */
	readonly run: string | undefined;
	/** Files that the query names, if it names any. */
	readonly mentions: Mentions | undefined;
	/** Whether the query asks for the line that it names. In a story about a failure, the line is only where it began. */
	readonly asksForLines: boolean;
	/** The query, if it may be nothing but the name or path of a file. */
	readonly file: string | undefined;
	/** The text to embed for the vector search. */
	readonly meant: string;
};

const IDENTIFIER_SHAPE = /^(?:[a-z]+[A-Z]|[A-Z][a-z0-9]+[A-Z]|[A-Z]{2,}[a-z])|_[A-Za-z]|[A-Za-z]_/;

/** Collects the terms of a text, with its keywords and identifiers. */
export class GatheredTerms {
	/** The significant words, split but not stemmed. */
	readonly keywords = new Set<string>();
	/** Words with the shape of an identifier, such as `readFile` or `max_size`. */
	readonly identifiers = new Set<string>();
	readonly #sums = new Map<string, { sum: number; whole: boolean }>();

	add(word: string, count: number): void {
		const parts = splitIdentifier(word);
		for (const part of parts) {
			if (parts.length > 1 && part.length < 2) continue;
			this.#count(stemWord(part), count, false);
			if (part.length > 2) this.keywords.add(part);
		}
		if (parts.length > 1) this.#count(parts.join(""), count, true);
		if (word.length > 2 && IDENTIFIER_SHAPE.test(word)) this.identifiers.add(word);
	}

	/** Repeats raise a term's weight sublinearly, by `power`. */
	terms(power: number): QueryTerm[] {
		return [...this.#sums].map(([term, { sum, whole }]) => ({ term, weight: sum ** power, whole }));
	}

	#count(term: string, count: number, whole: boolean): void {
		const known = this.#sums.get(term);
		this.#sums.set(term, { sum: (known?.sum ?? 0) + count, whole: (known?.whole ?? true) && whole });
	}
}

/** A name with its owner: `Session.send`, `Site#read`, `queue->next`, `App\Mailer`. Not inside a path. */
const QUALIFIED = /(?<![\w$./\\-])[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*[!?]?|\\[A-Z]\w*)+/g;
/** The index has a name with its enclosing classes and modules. A text often gives fewer of them, or adds a package. */
const MOST_PARTS = 3;

/**
 * The names that a text gives with their owners. A long one is also cut from the front, as it may begin with a package.
 */
export function findQualifiedNames(text: string): string[] {
	const names: string[] = [];
	for (const [run] of text.matchAll(QUALIFIED)) {
		const parts = run.split(/\.|::|#|->|\\/);
		for (let from = Math.max(0, parts.length - MOST_PARTS); from < parts.length - 1; from++) {
			names.push(parts.slice(from).join("."));
		}
	}
	return names;
}
