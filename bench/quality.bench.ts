// NDCG@10 per category and language on the shared benchmark, for a folder of checkouts.
//   npm run bench -- quality <folder of checkouts> [--model path] [--ann]
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openRepository, type Repository } from "pairofcleats";

type Target = { readonly path: string; readonly start?: number; readonly end?: number };
type Query = {
	readonly repo: string;
	readonly language: string;
	readonly category: string;
	readonly query: string;
	readonly relevant: Target[];
	readonly secondary: Target[];
};

const { values, positionals } = parseArgs({
	options: { model: { type: "string" }, ann: { type: "boolean", default: false } },
	allowPositionals: true,
});
const shared = join(import.meta.dirname, "..", "..", "shared", "bench", "search");
const corpus = resolve(positionals[0] ?? join(import.meta.dirname, "..", "..", "corpus"));
if (!existsSync(shared) || !existsSync(corpus)) {
	console.log(JSON.stringify({ bench: "quality", skipped: "the benchmark or the folder of checkouts is absent" }));
	process.exit(0);
}
const TOP = 10;
const repos: { name: string; root?: string }[] = JSON.parse(readFileSync(join(shared, "repos.json"), "utf8"));
const queries: Query[] = readFileSync(join(shared, "queries.jsonl"), "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line));
/** Ranking was tuned on every second repository by name; the others are the honest figure. */
const tuned = new Set(
	repos
		.map(({ name }) => name)
		.sort()
		.filter((_, index) => index % 2 === 0),
);
const cacheRoot = mkdtempSync(join(tmpdir(), "bench-quality-"));
const scores: { query: Query; ndcg: number }[] = [];
try {
	for (const { name, root } of repos) {
		const folder = join(corpus, name, root ?? "");
		if (!existsSync(folder)) continue;
		const repository = openRepository(folder, {
			cacheRoot,
			...(values.ann ? (values.model === undefined ? {} : { model: values.model }) : { model: null }),
			freshnessMs: 1e9,
		});
		await repository.buildIndex();
		for (const query of queries.filter(({ repo }) => repo === name))
			scores.push({ query, ndcg: await score(repository, query) });
		await repository.close();
	}
} finally {
	rmSync(cacheRoot, { recursive: true, force: true });
}
const report = (figure: string, keep: (query: Query) => boolean): void => {
	const kept = scores.filter(({ query }) => keep(query));
	if (kept.length === 0) return;
	const ndcg = kept.reduce((sum, row) => sum + row.ndcg, 0) / kept.length;
	console.log(JSON.stringify({ bench: "quality", figure, queries: kept.length, ndcg10: Number(ndcg.toFixed(4)) }));
};
report("all", () => true);
report("unseen half", ({ repo }) => !tuned.has(repo));
for (const category of new Set(queries.map((query) => query.category)))
	report(`category ${category}`, (query) => query.category === category);
for (const language of [...new Set(queries.map((query) => query.language))].sort())
	report(`language ${language}`, (query) => query.language === language);

async function score(repository: Repository, query: Query): Promise<number> {
	const { hits } = await repository.search({ query: query.query, top: TOP, ...(values.ann ? {} : { ann: false }) });
	const targets = [...query.relevant, ...query.secondary];
	const gains = new Array<number>(TOP).fill(0);
	for (const target of targets) {
		const rank = hits.findIndex(
			({ path, startLine, endLine }) =>
				(target.path === path || target.path.endsWith(`/${path}`) || path.endsWith(`/${target.path}`)) &&
				(target.start === undefined || (endLine >= target.start && startLine <= (target.end ?? target.start))),
		);
		if (rank >= 0) gains[rank] = 1;
	}
	const dcg = (list: readonly number[]): number =>
		list.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
	return dcg(gains) / dcg(new Array<number>(Math.min(TOP, targets.length)).fill(1));
}
