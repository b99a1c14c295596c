import { splitIntoWords } from "../tokens/words.ts";

/** A programming language as queries name it. */
export type LanguageName = {
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
export function languageNamesIn(text: string): LanguageNames {
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
export function isMarkedName(text: string): boolean {
	return MARKED.some(({ written }) => written.test(text));
}
