// Search quality on public query sets, ours beside plain BM25 in the same run; `--misses` lists what was not found.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bm25, type SearchStrategy } from "metatools";
import { type Figures, figuresOf, meanFigures } from "./toolSearch/figures.ts";
import { plainBm25 } from "./toolSearch/plainBm25.ts";
import { type QuerySet, readSets } from "./toolSearch/sets.ts";

/** What the authors of the 47 queries publish for them. */
const PUBLISHED: Figures = { "R@1": 0.418, "R@5": 0.681, "R@10": 0.791, MRR: 0.568, "nDCG@10": 0.609 };
const [named] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const folder = named ?? join(import.meta.dirname, "../../shared/cases/tool-search");

if (!existsSync(folder)) {
	console.log(`skipped: no query set at ${folder}`);
	process.exit(0);
}
for (const set of readSets(folder)) {
	if (set.name === "47 queries") console.log(JSON.stringify({ set: set.name, ranking: "published", ...PUBLISHED }));
	for (const strategy of [plainBm25(), bm25()]) await reportSet(set, strategy);
}

async function reportSet(set: QuerySet, strategy: SearchStrategy): Promise<void> {
	const index = strategy.build(set.documents);
	const rows = { fitted: [] as Figures[], unfitted: [] as Figures[] };
	for (const { text, relevance, half } of set.queries) {
		const ranked = (await index.search([text])).map(({ id }) => id);
		rows[half].push(figuresOf(ranked, relevance));
		const isMissed = !ranked.slice(0, 5).some((id) => (relevance.get(id) ?? 0) > 0);
		if (process.argv.includes("--misses") && isMissed)
			console.error(`${strategy.name}: ${text}\n    wanted ${[...relevance.keys()]}\n    got ${ranked.slice(0, 5)}`);
	}
	for (const half of ["fitted", "unfitted"] as const) {
		if (rows[half].length === 0) continue;
		const place = { set: set.name, half, queries: rows[half].length, tools: set.documents.length };
		console.log(JSON.stringify({ ...place, ranking: strategy.name, ...meanFigures(rows[half]) }));
	}
}
