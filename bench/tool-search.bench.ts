// Search quality on public query sets, ours beside plain BM25 in the same run; `--misses` lists what was not found,
// `--tokens` counts what a model reads instead.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { blend, bm25, type SearchStrategy } from "metatools";
import { type Figures, figuresOf, meanFigures } from "./toolSearch/figures.ts";
import { plainBm25 } from "./toolSearch/plainBm25.ts";
import { refusalFigures } from "./toolSearch/refusals.ts";
import { type QuerySet, readSets } from "./toolSearch/sets.ts";
import { tokenFigures } from "./toolSearch/tokens.ts";

/** What the authors of the 47 queries publish for them. */
const PUBLISHED: Figures = { "R@1": 0.418, "R@5": 0.681, "R@10": 0.791, MRR: 0.568, "nDCG@10": 0.609 };
const HALVES = ["fitted", "unfitted"] as const;
const [named] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const folder = named ?? join(import.meta.dirname, "../../shared/cases/tool-search");

if (!existsSync(folder)) {
	console.log(`skipped: no query set at ${folder}`);
	process.exit(0);
}
for (const set of readSets(folder)) {
	if (process.argv.includes("--tokens")) for (const row of await tokenFigures(set)) print(row);
	else await reportSet(set);
}

async function reportSet(set: QuerySet): Promise<void> {
	if (set.name === "47 queries") print({ set: set.name, ranking: "published", ...PUBLISHED });
	for (const strategy of [plainBm25(), bm25(), blend()]) await reportRanking(set, strategy);
	for (const half of HALVES)
		if (set.queries.some((query) => query.half === half)) print(await refusalFigures(set, half, blend()));
}

async function reportRanking(set: QuerySet, strategy: SearchStrategy): Promise<void> {
	const index = strategy.build(set.documents);
	const rows = { fitted: [] as Figures[], unfitted: [] as Figures[] };
	const times: number[] = [];
	for (const { text, relevance, half } of set.queries) {
		const began = performance.now();
		const ranked = (await index.search([text])).map(({ id }) => id);
		times.push(performance.now() - began);
		rows[half].push(figuresOf(ranked, relevance));
		const isMissed = !ranked.slice(0, 5).some((id) => (relevance.get(id) ?? 0) > 0);
		if (process.argv.includes("--misses") && isMissed)
			console.error(`${strategy.name}: ${text}\n    wanted ${[...relevance.keys()]}\n    got ${ranked.slice(0, 5)}`);
	}
	const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
	for (const half of HALVES) {
		if (rows[half].length === 0) continue;
		const place = { set: set.name, half, queries: rows[half].length, tools: set.documents.length };
		print({ ...place, ranking: strategy.name, ...meanFigures(rows[half]), p95Ms: Math.round(p95 * 10) / 10 });
	}
}

function print(row: object): void {
	console.log(JSON.stringify({ bench: "tool-search", ...row }));
}
