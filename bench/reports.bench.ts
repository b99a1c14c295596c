// Whole bug reports as queries: how often the files that were fixed are found, with vectors and without.
//   npm run bench -- reports <folder of checkouts> <reports.jsonl>
// A report is a line {"repo": folder, "query": its whole text, "files": [paths of the fix]}.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRepository, type Repository } from "pairofcleats";
import { median } from "./quantile.ts";

type Report = { readonly repo: string; readonly query: string; readonly files: readonly string[] };
type Score = { readonly ndcg: number; readonly first: number; readonly found: number; readonly cpuMs: number };

const TOP = 10;
/** As much as a query may have; what follows in a report is a log. */
const MOST_CHARACTERS = 20_000;
const { positionals } = parseArgs({ allowPositionals: true });
const [corpus, file] = positionals;
if (corpus === undefined || file === undefined || !existsSync(file)) {
	console.log(JSON.stringify({ bench: "reports", skipped: "expected a folder of checkouts and a file of reports" }));
	process.exit(0);
}
const reports: Report[] = readFileSync(file, "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line));
const cacheRoot = mkdtempSync(join(tmpdir(), "bench-reports-"));
const scores: Record<"words" | "vectors", Score[]> = { words: [], vectors: [] };
try {
	for (const repo of new Set(reports.map((report) => report.repo))) {
		const repository = openRepository(join(corpus, repo), { cacheRoot, freshnessMs: 1e9 });
		await repository.buildIndex();
		for (const report of reports.filter((one) => one.repo === repo)) {
			scores.words.push(await score(repository, report, false));
			scores.vectors.push(await score(repository, report, true));
		}
		await repository.close();
	}
} finally {
	rmSync(cacheRoot, { recursive: true, force: true });
}
for (const [figure, list] of Object.entries(scores)) {
	const mean = (of: (one: Score) => number): number =>
		Number((list.reduce((sum, one) => sum + of(one), 0) / list.length).toFixed(4));
	const cpuP50Ms = median(list.map(({ cpuMs }) => cpuMs));
	const means = {
		ndcg10: mean(({ ndcg }) => ndcg),
		hit1: mean(({ first }) => first),
		hit10: mean(({ found }) => found),
	};
	console.log(JSON.stringify({ bench: "reports", figure, queries: list.length, ...means, cpuP50Ms }));
}

async function score(repository: Repository, { query, files }: Report, ann: boolean): Promise<Score> {
	const before = process.cpuUsage();
	const { hits } = await repository.search({ query: query.slice(0, MOST_CHARACTERS), mode: "code", top: TOP, ann });
	const { user, system } = process.cpuUsage(before);
	const ranks = files.map((path) => hits.findIndex((hit) => hit.path === path)).filter((rank) => rank >= 0);
	const gain = (rank: number): number => 1 / Math.log2(rank + 2);
	const ideal = Array.from({ length: Math.min(TOP, files.length) }, (_, rank) => gain(rank));
	const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
	return {
		ndcg: sum(ranks.map(gain)) / sum(ideal),
		first: ranks.includes(0) ? 1 : 0,
		found: ranks.length > 0 ? 1 : 0,
		cpuMs: (user + system) / 1000,
	};
}
