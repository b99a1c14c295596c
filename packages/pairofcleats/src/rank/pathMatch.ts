import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";

/** How well a path answers to the words of a query, each share from 0 to 1. */
export type PathMatch = {
	/** Share of the query's words that the file's name has. */
	readonly name: number;
	/** Share of the query's words that the two folders above have and the name has not. */
	readonly folder: number;
	/** Share of the words of the file's name that the query has. */
	readonly covered: number;
};

/** Shorter words match only when equal. */
const PREFIX_LENGTH = 4;

/** The words of a path, stemmed: its own, and those of the two folders above. */
export type PathWords = {
	readonly own: readonly string[];
	readonly above: readonly string[];
	/** The folder of examples, documents or leftovers that the file lies in. */
	readonly aside: string;
	/** Types only: the code is elsewhere. */
	readonly declaration: boolean;
};

const ASIDE = /(?:^|\/)(?:examples?|samples?|demos?|docs?|benchmarks?|bench|compat|legacy|deprecated)\//i;
const DECLARATION = /\.d\.[cm]?ts$/;

export function pathWords(path: string): PathWords {
	const parts = path.split("/");
	const fileName = (parts.pop() ?? "").replace(/(?<=.)\..*$/, "");
	return {
		own: wordsOf(generic(fileName) ? (parts.at(-1) ?? fileName) : fileName),
		above: parts.slice(-2).flatMap(wordsOf),
		aside: ASIDE.exec(path)?.[0].replaceAll("/", "").toLowerCase() ?? "",
		declaration: DECLARATION.test(path),
	};
}

export function pathMatcher(keywords: readonly string[]): (words: PathWords) => PathMatch {
	const wanted = keywords.map(stem);
	// Paths share their words, so each is compared with the query once.
	const known = new Map<string, readonly number[]>();
	const metBy = (part: string): readonly number[] => {
		let met = known.get(part);
		if (met === undefined) {
			met = meetings(part, wanted);
			known.set(part, met);
		}
		return met;
	};
	/** For each word of the query, the last path that was seen to have it. */
	const seen = new Uint32Array(wanted.length);
	let path = 0;
	const countNew = (part: string): number => {
		let count = 0;
		for (const index of metBy(part)) {
			if (seen[index] === path) continue;
			seen[index] = path;
			count += 1;
		}
		return count;
	};
	return ({ own, above }) => {
		path += 1;
		let name = 0;
		let folder = 0;
		let covered = 0;
		for (const part of own) {
			if (metBy(part).length > 0) covered += 1;
			name += countNew(part);
		}
		for (const part of above) folder += countNew(part);
		if (name + folder === 0) return NO_MATCH;
		return { name: name / wanted.length, folder: folder / wanted.length, covered: covered / Math.max(own.length, 1) };
	};
}

const NO_MATCH: PathMatch = { name: 0, folder: 0, covered: 0 };

/** Names that say nothing themselves: the folder is the name. */
function generic(name: string): boolean {
	return /^(?:index|mod|lib|main|__init__|init)$/i.test(name);
}

function wordsOf(text: string): string[] {
	return splitIdentifier(text)
		.filter((part) => part.length > 1)
		.map(stem);
}

const NONE: readonly number[] = [];

/** Which of the wanted words a part of a path answers to. */
function meetings(part: string, wanted: readonly string[]): readonly number[] {
	let met: number[] | undefined;
	for (let index = 0; index < wanted.length; index++) {
		if (!meets(part, wanted[index] ?? "")) continue;
		met ??= [];
		met.push(index);
	}
	return met ?? NONE;
}

function meets(part: string, word: string): boolean {
	if (part === word) return true;
	if (part.length < PREFIX_LENGTH || word.length < PREFIX_LENGTH) return false;
	return part.startsWith(word) || word.startsWith(part);
}
