export type DiffLine = { readonly sign: " " | "+" | "-"; readonly text: string };

const MAX_LINES = 2_000;

/** The lines that went and came, in order, with those that stayed. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
	const a = before === "" ? [] : before.split("\n").slice(0, MAX_LINES);
	const b = after.split("\n").slice(0, MAX_LINES);
	// lengths[i][j]: how many lines a from i and b from j have in common, in order.
	const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
	const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
	for (let i = a.length - 1; i >= 0; i--) {
		const row = lengths[i];
		if (row === undefined) continue;
		for (let j = b.length - 1; j >= 0; j--)
			row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
	}
	const lines: DiffLine[] = [];
	let i = 0;
	let j = 0;
	while (i < a.length || j < b.length) {
		const [gone, come] = [a[i], b[j]];
		if (gone !== undefined && gone === come) {
			lines.push({ sign: " ", text: gone });
			i++;
			j++;
		} else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
			lines.push({ sign: "-", text: gone });
			i++;
		} else {
			lines.push({ sign: "+", text: come ?? "" });
			j++;
		}
	}
	return lines;
}
