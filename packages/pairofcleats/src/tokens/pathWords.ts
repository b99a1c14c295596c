import { stemWord } from "./wordForms.ts";
import { splitIdentifier } from "./words.ts";

/** The stemmed words of a path, as numbers: those of the file, and those of the two folders above. */
export type PathWords = {
	readonly own: readonly number[];
	readonly above: readonly number[];
	/** The folder of examples, documents or leftovers that the file is in, `benchmark` for one beside its source, or "". */
	readonly aside: string;
	/** Whether the file has only types, such as a `.d.ts`. */
	readonly declaration: boolean;
	/** Whether the file's name is generic, so that its folder's name counts instead. */
	readonly generic: boolean;
};

const ASIDE =
	/(?:^|\/)(?:(examples?|samples?|demos?|tutorials?|playgrounds?|docs?|benchmarks?|bench|benches|compat|legacy|deprecated)|(?:[^/]*[-_])?(docs|examples?|samples|demos?|tutorials?|playgrounds?)(?:[-_][^/]*)?)\//i;
/** A benchmark beside the file that it measures. */
const MEASURING = /(?:^|[/_.-])bench(?:mark)?s?\.[^/]+$/i;
const DECLARATION = /\.d\.[cm]?ts$/;

/** Paths share their words, so each word has a number and is compared with a query once. */
export class PathTable {
	readonly #numbers = new Map<string, number>();
	readonly words: string[] = [];

	read(path: string): PathWords {
		const [, folder, partly] = ASIDE.exec(path) ?? [];
		const parts = path.split("/");
		const fileName = (parts.pop() ?? "").replace(/(?<=.)\..*$/, "");
		const generic = isGeneric(fileName);
		return {
			own: this.#wordsOf(generic ? (parts.at(-1) ?? fileName) : fileName),
			above: parts.slice(-2).flatMap((part) => this.#wordsOf(part)),
			aside: (folder ?? partly)?.toLowerCase() ?? (MEASURING.test(path) ? "benchmark" : ""),
			declaration: DECLARATION.test(path),
			generic,
		};
	}

	#wordsOf(text: string): number[] {
		return splitIdentifier(text)
			.filter((part) => part.length > 1)
			.map((part) => this.#number(stemWord(part)));
	}

	#number(word: string): number {
		let number = this.#numbers.get(word);
		if (number === undefined) {
			number = this.words.push(word) - 1;
			this.#numbers.set(word, number);
		}
		return number;
	}
}

/** Generic names, for which the folder's name counts. */
function isGeneric(name: string): boolean {
	return /^(?:index|mod|lib|main|__init__|init)$/i.test(name);
}
