import { splitIntoWords } from "../tokens/words.ts";

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

export function readAtom(token: Token): Condition | undefined {
	if (token.kind === "word")
		return splitIntoWords(token.text).length === 0 ? undefined : { kind: "word", text: token.text };
	return token.kind === "phrase" || token.kind === "regex" ? token : undefined;
}

/** A required word. A name with punctuation, such as `C++`, is matched as a phrase. */
export function readDemandedAtom(token: Token): Condition | undefined {
	return token.kind === "word" && isMarkedName(token.text) ? { kind: "phrase", text: token.text } : readAtom(token);
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
		return token && readDemandedAtom(token);
	}

	#take(kind: Token["kind"]): boolean {
		if (this.#tokens[this.#at]?.kind !== kind) return false;
		this.#at += 1;
		return true;
	}
}

/** A programming language as queries name it. */
type LanguageName = {
	/** The language ids of the index that the name stands for. */
	readonly ids: readonly string[];
	/** How the name is written in code and paths. */
	readonly word: string;
};

/** Keyed by the word that the tokenizer produces for the name. */
export type LanguageNames = ReadonlyMap<string, LanguageName>;

/** Names with punctuation (`C++`, `.NET`), which the tokenizer would change. */
const MARKED: readonly { readonly written: RegExp; readonly is: LanguageName }[] = [
	{ written: /^C\+\+(?:\d\d)?$/i, is: { ids: ["cpp"], word: "cpp" } },
	{ written: /^C#$/i, is: { ids: ["csharp"], word: "csharp" } },
	{ written: /^F#$/i, is: { ids: ["fsharp"], word: "fsharp" } },
	{ written: /^\.NET$/i, is: { ids: ["csharp", "fsharp"], word: "dotnet" } },
];
const MARKED_NAME = /(?<![\w+#.])(?:C\+\+(?:\d\d)?|[CF]#|\.NET)(?![\w+#])/gi;

/**
 * Unambiguous names only: `go`, `c` and `r` are too common, and a query about JSON or SQL rarely asks for such files.
 */
const PLAIN: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
	...`python java kotlin rust ruby php swift scala haskell lua elixir erlang perl javascript powershell ocaml clojure
	fortran julia cpp csharp fsharp`
		.split(/\s+/)
		.map((name): [string, readonly string[]] => [name, [name]]),
	["typescript", ["typescript", "tsx"]],
	["golang", ["go"]],
]);

/** The languages that a text names. */
export function findLanguageNames(text: string): LanguageNames {
	const names = new Map<string, LanguageName>();
	for (const [written] of text.matchAll(MARKED_NAME)) {
		const is = MARKED.find((one) => one.written.test(written))?.is;
		const word = splitIntoWords(written)[0];
		if (is && word !== undefined) names.set(word, is);
	}
	for (const word of splitIntoWords(text)) {
		const name = word.toLowerCase();
		const ids = PLAIN.get(name);
		if (ids) names.set(word, { ids, word: name });
	}
	return names;
}

/** Whether the whole text is a name with punctuation, such as `C++`, which splitting into words would change. */
function isMarkedName(text: string): boolean {
	return MARKED.some(({ written }) => written.test(text));
}
