import { splitIntoWords } from "../tokens/words.ts";
import { isMarkedName } from "./languageNames.ts";

/** A condition on a chunk. Unlike in a plain query, all its words must be present. */
export type Condition =
	| { readonly kind: "word"; readonly text: string }
	| { readonly kind: "phrase"; readonly text: string }
	| { readonly kind: "regex"; readonly source: string; readonly flags: string }
	| { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
	| { readonly kind: "not"; readonly of: Condition };

export type Token =
	| { readonly kind: "word" | "phrase"; readonly text: string }
	| { readonly kind: "regex"; readonly source: string; readonly flags: string }
	| { readonly kind: "and" | "or" | "not" | "exclude" | "open" | "close" };

export function atomOf(token: Token): Condition | undefined {
	if (token.kind === "word")
		return splitIntoWords(token.text).length === 0 ? undefined : { kind: "word", text: token.text };
	return token.kind === "phrase" || token.kind === "regex" ? token : undefined;
}

/** A required word. A name with punctuation, such as `C++`, is matched as a phrase. */
export function demandedAtom(token: Token): Condition | undefined {
	return token.kind === "word" && isMarkedName(token.text) ? { kind: "phrase", text: token.text } : atomOf(token);
}

/** Parses words, phrases and regular expressions with the operators between them. */
export class ConditionParser {
	readonly #tokens: readonly Token[];
	#at = 0;

	constructor(tokens: readonly Token[]) {
		this.#tokens = tokens;
	}

	/** Number of tokens read. */
	get read(): number {
		return this.#at;
	}

	parse(): Condition | undefined {
		return this.#any();
	}

	/** Parses one word or group with its NOT, if any. */
	parseOne(): Condition | undefined {
		return this.#unary();
	}

	#any(): Condition | undefined {
		const of: Condition[] = [];
		do {
			const all = this.#all();
			if (all) of.push(all);
		} while (this.#take("or"));
		return of.length > 1 ? { kind: "any", of } : of[0];
	}

	#all(): Condition | undefined {
		const of: Condition[] = [];
		for (let next = this.#tokens[this.#at]; next && next.kind !== "or" && next.kind !== "close"; ) {
			if (!this.#take("and")) {
				const unary = this.#unary();
				if (unary) of.push(unary);
			}
			next = this.#tokens[this.#at];
		}
		return of.length > 1 ? { kind: "all", of } : of[0];
	}

	#unary(): Condition | undefined {
		if (this.#take("not") || this.#take("exclude")) {
			const of = this.#unary();
			return of && { kind: "not", of };
		}
		if (this.#take("open")) {
			const inner = this.#any();
			this.#take("close");
			return inner;
		}
		const token = this.#tokens[this.#at++];
		return token && demandedAtom(token);
	}

	#take(kind: Token["kind"]): boolean {
		if (this.#tokens[this.#at]?.kind !== kind) return false;
		this.#at += 1;
		return true;
	}
}
