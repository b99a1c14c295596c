export type DiffLine = { readonly sign: " " | "+" | "-"; readonly text: string };
/** Replaces this many unchanged lines. */
export type Unchanged = { readonly unchanged: number };

/** Beyond this many comparisons, all lines count as removed and added. */
const MOST_PAIRS = 4_000_000;
/** Unchanged lines shown on each side of a change. */
const AROUND = 3;

/** Compares two texts line by line; the result contains every line of both. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
	const a = before === "" ? [] : before.split("\n");
	const b = after.split("\n");
	const most = Math.min(a.length, b.length);
	let head = 0;
	while (head < most && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	return [
		...signed(" ", a.slice(0, head)),
		...middleDiff(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
		...signed(" ", a.slice(a.length - tail)),
	];
}

/** Folds the lines far from any change, so that the person who approves a tool sees every change. */
export function cutToChanges(lines: readonly DiffLine[]): readonly (DiffLine | Unchanged)[] {
	const near = new Set<number>();
	for (const [place, { sign }] of lines.entries())
		if (sign !== " ") for (let step = -AROUND; step <= AROUND; step++) near.add(place + step);
	const parts: (DiffLine | Unchanged)[] = [];
	let far: DiffLine[] = [];
	const fold = (): void => {
		// Folding a single line saves nothing.
		parts.push(...(far.length > 1 ? [{ unchanged: far.length }] : far));
		far = [];
	};
	for (const [place, line] of lines.entries()) {
		if (near.has(place)) {
			fold();
			parts.push(line);
		} else far.push(line);
	}
	fold();
	return parts;
}

function middleDiff(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
	if (a.length * b.length > MOST_PAIRS) return [...signed("-", a), ...signed("+", b)];
	// lengths[i][j] is the length of the longest common subsequence of a from i and b from j.
	const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
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

function signed(sign: DiffLine["sign"], texts: readonly string[]): readonly DiffLine[] {
	return texts.map((text) => ({ sign, text }));
}
