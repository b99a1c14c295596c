import type { PathTable, PathWords } from "../tokens/pathWords.ts";
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

export function pathMatcher(keywords: readonly string[], table: PathTable): (words: PathWords) => PathMatch {
	const wanted = keywords.map(stem);
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
	/** For each word of the query, the last path that was seen to have it. */
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

/** Words that begin alike: only those can meet. */
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

/** Which of the wanted words a part of a path answers to. */
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
