/** How a message about a name nobody knows goes on: with the one that was probably meant, else where they all are. */
export function suggestion(word: string, names: readonly string[], otherwise: string = ""): string {
	const meant = nearest(word, names);
	if (meant !== undefined) return `; did you mean ${meant}?`;
	return otherwise === "" ? "" : `; ${otherwise}`;
}

/** The name that was probably meant: the one with the fewest letters changed, if those are few. */
export function nearest(word: string, names: readonly string[]): string | undefined {
	const ranked = names.map((name) => ({ name, away: distance(word, name) })).sort((a, b) => a.away - b.away);
	const [best] = ranked;
	if (best === undefined) return undefined;
	// The dashes of a flag are no letters that somebody got right.
	const letters = best.name.replace(/^-+/, "").length;
	return best.away <= Math.max(1, Math.floor(letters / 3)) ? best.name : undefined;
}

/** Letters to add, drop, change or swap with a neighbour. */
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
