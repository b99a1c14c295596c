/** The end of a message about an unknown name: "did you mean …", or `otherwise`, which says where to find all names. */
export function suggestion(word: string, names: readonly string[], otherwise: string = ""): string {
	const meant = nearest(word, names);
	if (meant !== undefined) return `; did you mean ${meant}?`;
	return otherwise === "" ? "" : `; ${otherwise}`;
}

/**
 * The name probably meant: the closest by edit distance if it could be a typing error, of several that are as close one
 * that begins alike; else any that begins alike or that others call by this word.
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
	return closestName(word, names) ?? names.find((name) => beginAlike(word, name)) ?? otherWord(word, names);
}

/** Words that tools use for one thing; models and people know them from other tools. */
const OTHER_WORDS = [
	["top", "limit", "max", "count", "max_results", "maxResults"],
	["args", "arguments", "params", "parameters", "input"],
	["recordId", "record_id", "finding", "finding_id", "findingId"],
] as const;

/** `undefined` if it could be one of several. */
function otherWord(word: string, names: readonly string[]): string | undefined {
	const group: readonly string[] = OTHER_WORDS.find((words) => words.some((one) => one === bare(word))) ?? [];
	const meant = names.filter((name) => group.includes(bare(name)));
	return meant.length === 1 ? meant[0] : undefined;
}

function bare(name: string): string {
	return name.replace(/^-+/, "");
}

function closestName(word: string, names: readonly string[]): string | undefined {
	const ranked = names
		.map((name) => ({ name, away: distance(word, name), alike: beginAlike(word, name) }))
		.sort((a, b) => a.away - b.away || Number(b.alike) - Number(a.alike));
	const [best] = ranked;
	if (best === undefined) return undefined;
	return best.away <= Math.max(1, Math.floor(lettersOf(best.name) / 3)) ? best.name : undefined;
}

/** With fewer letters, too many names would match. */
const SHORTEST_BEGINNING = 3;

/** True for `--language` and `--lang`, or `--sig` and `--signature`. */
function beginAlike(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	return lettersOf(short) >= SHORTEST_BEGINNING && long.startsWith(short);
}

// The dashes of a flag do not count as matching letters.
function lettersOf(name: string): number {
	return bare(name).length;
}

/** Edit distance: letters to add, drop, change or swap with a neighbour. */
function distance(from: string, to: string): number {
	let before: number[] = [];
	let row = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 1; i <= from.length; i++) {
		const next = [i];
		for (let j = 1; j <= to.length; j++) {
			const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
			const swapped =
				i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? (before[j - 2] ?? 0) + 1 : changed;
			next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
		}
		before = row;
		row = next;
	}
	return row[to.length] ?? 0;
}
