/** The end of a message about an unknown name: "did you mean …", or `otherwise`, which says where to find all names. */
export function suggestName(word: string, names: readonly string[], otherwise: string = ""): string {
	const meant = findNearest(word, names);
	if (meant !== undefined) return `; did you mean ${meant}?`;
	return otherwise === "" ? "" : `; ${otherwise}`;
}

/**
 * The name probably meant: the closest by edit distance if it could be a typing error, of several that are as close one
 * that begins alike; else any that begins alike or that others call by this word.
 */
export function findNearest(word: string, names: readonly string[]): string | undefined {
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
	let best: { readonly name: string; readonly away: number; readonly alike: boolean } | undefined;
	let most = Math.max(0, ...names.map(mostAway));
	for (const name of names) {
		const away = distance(word, name, most);
		if (away > most) continue;
		const alike = beginAlike(word, name);
		if (best !== undefined && away === best.away && (best.alike || !alike)) continue;
		best = { name, away, alike };
		most = away;
	}
	return best !== undefined && best.away <= mostAway(best.name) ? best.name : undefined;
}

/** How far away a typing error may be from a name. */
function mostAway(name: string): number {
	return Math.max(1, Math.floor(lettersOf(name) / 3));
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

/** Edit distance: letters to add, drop, change or swap with a neighbour. Any number over `most` stands for all of those. */
function distance(from: string, to: string, most: number): number {
	const far = most + 1;
	if (Math.abs(from.length - to.length) > most) return far;
	let before = new Int32Array(to.length + 1);
	let row = new Int32Array(to.length + 1).map((_, index) => index);
	let next = new Int32Array(to.length + 1);
	for (let i = 1; i <= from.length; i++) {
		next.fill(far);
		// Cells further from the diagonal are further away than `most`.
		const first = Math.max(1, i - most);
		const last = Math.min(to.length, i + most);
		let left = first === 1 ? i : far;
		let nearestHere = left;
		next[first - 1] = left;
		const letter = from.charCodeAt(i - 1);
		const letterBefore = from.charCodeAt(i - 2);
		for (let j = first; j <= last; j++) {
			const other = to.charCodeAt(j - 1);
			let here = at(row, j - 1) + (letter === other ? 0 : 1);
			const up = at(row, j) + 1;
			if (up < here) here = up;
			if (left + 1 < here) here = left + 1;
			if (letterBefore === other && i > 1 && j > 1 && letter === to.charCodeAt(j - 2)) {
				const swapped = at(before, j - 2) + 1;
				if (swapped < here) here = swapped;
			}
			next[j] = here;
			left = here;
			if (here < nearestHere) nearestHere = here;
		}
		if (nearestHere > most) return far;
		[before, row, next] = [row, next, before];
	}
	return at(row, to.length);
}

function at(row: Int32Array, index: number): number {
	return row[index] ?? 0;
}
