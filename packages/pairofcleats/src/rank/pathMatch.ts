import type { PathTable, PathWords } from "../tokens/pathWords.ts";
import { stemWord } from "../tokens/wordForms.ts";

/** How well a path matches the words of a query. Each share is from 0 to 1. */
export type PathMatch = {
	/** Share of the query's words that are in the file's name. */
	readonly name: number;
	/** Share of the query's words that are in the two folders above but not in the name. */
	readonly folder: number;
	/** Share of the file name's words that are in the query. */
	readonly covered: number;
};

/** Shorter words match only when equal. */
const PREFIX_LENGTH = 4;

export function makePathMatcher(keywords: readonly string[], table: PathTable): (words: PathWords) => PathMatch {
	const wanted = keywords.map(stemWord);
	const byStart = groupByStart(wanted);
	const known: (readonly number[] | undefined)[] = [];
	const metBy = (part: number): readonly number[] => {
		let met = known[part];
		if (met === undefined) {
			met = meetings(table.words[part] ?? "", wanted, byStart);
			known[part] = met;
		}
		return met;
	};
	/** For each word of the query, the last path that had it. */
	const seen = new Uint32Array(wanted.length);
	let path = 0;
	const countNew = (met: readonly number[]): number => {
		let count = 0;
		for (const index of met) {
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
			const met = metBy(part);
			if (met.length === 0) continue;
			covered += 1;
			name += countNew(met);
		}
		for (const part of above) folder += countNew(metBy(part));
		if (name + folder === 0) return NO_MATCH;
		return { name: name / wanted.length, folder: folder / wanted.length, covered: covered / Math.max(own.length, 1) };
	};
}

const NO_MATCH: PathMatch = { name: 0, folder: 0, covered: 0 };

const NONE: readonly number[] = [];

/** Groups words by their first letters: only words that begin alike can match. */
function groupByStart(words: readonly string[]): Map<string, number[]> {
	const groups = new Map<string, number[]>();
	for (const [index, word] of words.entries()) {
		const start = word.slice(0, PREFIX_LENGTH);
		const group = groups.get(start);
		if (group) group.push(index);
		else groups.set(start, [index]);
	}
	return groups;
}

/** The wanted words that a part of a path matches. */
function meetings(
	part: string,
	wanted: readonly string[],
	byStart: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
	const group = byStart.get(part.slice(0, PREFIX_LENGTH));
	return group?.filter((index) => meets(part, wanted[index] ?? "")) ?? NONE;
}

function meets(part: string, word: string): boolean {
	if (part === word) return true;
	if (part.length < PREFIX_LENGTH || word.length < PREFIX_LENGTH) return false;
	return part.startsWith(word) || word.startsWith(part);
}
