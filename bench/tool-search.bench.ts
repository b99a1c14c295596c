// Search quality on the public 45-tool, 47-query set, with the figures its authors publish beside ours.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bm25, lexical, type SearchDocument, type SearchStrategy } from "metatools";

type Query = {
	readonly query: string;
	readonly labels: readonly { readonly tool_id: string; readonly relevance: number }[];
};
type Tool = { readonly tool_id: string; readonly tool: string; readonly server: string; readonly description: string };
type Figures = Record<"R@1" | "R@5" | "R@10" | "MRR" | "nDCG@10", number>;

const PUBLISHED: Figures = { "R@1": 0.418, "R@5": 0.681, "R@10": 0.791, MRR: 0.568, "nDCG@10": 0.609 };
const folder = process.argv[2] ?? join(import.meta.dirname, "../../shared/cases/tool-search");

if (!existsSync(folder)) {
	console.log(`skipped: no query set at ${folder}`);
	process.exit(0);
}
const tools: readonly Tool[] = JSON.parse(readFileSync(join(folder, "tools.json"), "utf8")).tools;
const queries: readonly Query[] = JSON.parse(readFileSync(join(folder, "queries.json"), "utf8")).queries;
const documents = tools.map(
	(tool): SearchDocument => ({
		id: tool.tool_id,
		name: tool.tool,
		namespace: tool.server,
		description: tool.description,
		tags: [],
		parameters: [],
		server: "",
	}),
);
for (const strategy of [bm25(), lexical()]) await report(strategy);

async function report(strategy: SearchStrategy): Promise<void> {
	const index = strategy.build(documents);
	const rows: Figures[] = [];
	for (const { query, labels } of queries) {
		const relevance = new Map(labels.map((label) => [label.tool_id, label.relevance]));
		const ranked = (await index.search([query])).map((hit) => relevance.get(hit.id) ?? 0);
		if (process.argv.includes("--misses") && !ranked.slice(0, 5).includes(2)) {
			console.error(
				`${query}\n    ${(await index.search([query]))
					.slice(0, 6)
					.map((hit) => `${hit.id} ${hit.score.toFixed(1)}`)
					.join(", ")}`,
			);
		}
		rows.push(figures(ranked, [...relevance.values()]));
	}
	for (const name of ["R@1", "R@5", "R@10", "MRR", "nDCG@10"] as const) {
		const value = rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
		const line = {
			bench: "tool-search",
			strategy: strategy.name,
			figure: name,
			value: round(value),
			published: PUBLISHED[name],
		};
		console.log(JSON.stringify({ ...line, ratio: round(value / PUBLISHED[name]) }));
	}
}

function figures(ranked: readonly number[], labels: readonly number[]): Figures {
	const relevant = labels.filter((label) => label > 0).length;
	const recall = (depth: number) => ranked.slice(0, depth).filter((label) => label > 0).length / relevant;
	const first = ranked.findIndex((label) => label > 0);
	const ideal = gain(labels.toSorted((a, b) => b - a));
	return {
		"R@1": recall(1),
		"R@5": recall(5),
		"R@10": recall(10),
		MRR: first < 0 ? 0 : 1 / (first + 1),
		"nDCG@10": gain(ranked) / ideal,
	};
}

function gain(labels: readonly number[]): number {
	return labels.slice(0, 10).reduce((sum, label, rank) => sum + (2 ** label - 1) / Math.log2(rank + 2), 0);
}

function round(value: number): number {
	return Math.round(value * 1_000) / 1_000;
}
