// One process that serves searches from a built index: the figures of its queries and its memory, as JSON on stdout.
//   node serving.ts <folder> <cache> words|vectors <file of queries>
import { readFileSync } from "node:fs";
import { openRepository, type Repository } from "pairofcleats";

/** By their shape; the first ones only warm the process up. */
export type Queries = Readonly<Record<string, readonly string[]>>;
const WARM_UP = 50;

export type Served = {
	readonly rssBytes: number;
	readonly spent: Readonly<Record<string, { readonly p50: number; readonly p95: number }>>;
};

const [root = "", cacheRoot = "", kind = "", file = ""] = process.argv.slice(2);
const repository = openRepository(root, { cacheRoot, ...(kind === "words" && { model: null }) });
const queries: Queries = JSON.parse(readFileSync(file, "utf8"));
const spent: Record<string, { p50: number; p95: number }> = {};
for (const [shape, list] of Object.entries(queries)) spent[shape] = await timeQueries(repository, list);
global.gc?.();
const served: Served = { rssBytes: process.memoryUsage().rss, spent };
await repository.close();
console.log(JSON.stringify(served));

/** Milliseconds of processor time of one search each, in a process that has just answered others. */
async function timeQueries(repository: Repository, queries: readonly string[]): Promise<{ p50: number; p95: number }> {
	const spent: number[] = [];
	for (const [index, query] of queries.entries()) {
		const before = process.cpuUsage();
		await repository.search({ query });
		const { user, system } = process.cpuUsage(before);
		if (index >= WARM_UP) spent.push((user + system) / 1000);
	}
	spent.sort((a, b) => a - b);
	const at = (share: number): number => spent[Math.floor(spent.length * share)] ?? 0;
	return { p50: at(0.5), p95: at(0.95) };
}
