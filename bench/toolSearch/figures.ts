// Figures of a ranking: how much of what was looked for is among its first rows.
export const FIGURES = ["R@1", "R@5", "R@10", "MRR", "nDCG@10"] as const;
export type Figures = Record<(typeof FIGURES)[number], number>;

/** Figures of one query; relevance 2 is the best tool, 1 an acceptable one. */
export function figuresOf(ranked: readonly string[], relevance: ReadonlyMap<string, number>): Figures {
	const labels = ranked.map((id) => relevance.get(id) ?? 0);
	const relevant = [...relevance.values()].filter((label) => label > 0).length;
	const recall = (depth: number) => labels.slice(0, depth).filter((label) => label > 0).length / relevant;
	const first = labels.findIndex((label) => label > 0);
	return {
		"R@1": recall(1),
		"R@5": recall(5),
		"R@10": recall(10),
		MRR: first < 0 ? 0 : 1 / (first + 1),
		"nDCG@10": gain(labels) / gain([...relevance.values()].sort((a, b) => b - a)),
	};
}

export function meanFigures(rows: readonly Figures[]): Figures {
	const mean = (name: keyof Figures) => round(rows.reduce((sum, row) => sum + row[name], 0) / rows.length);
	return Object.fromEntries(FIGURES.map((name) => [name, mean(name)])) as Figures;
}

export function round(value: number): number {
	return Math.round(value * 1_000) / 1_000;
}

function gain(labels: readonly number[]): number {
	return labels.slice(0, 10).reduce((sum, label, rank) => sum + (2 ** label - 1) / Math.log2(rank + 2), 0);
}
