// One process that serves searches from a built index: the figures of its queries and its memory, as JSON on stdout.
//   node serving.ts <folder> <cache> words|vectors <file of queries>
import { readFileSync } from "node:fs";
import { openRepository, type Repository } from "pairofcleats";

/** By their shape. No query is asked twice. */
export type Queries = Readonly<Record<string, readonly string[]>>;

/** Half of each shape's queries are the process's first; the others follow when all shapes have been asked. */
export type Served = {
	readonly rssBytes: number;
	readonly first: Spent;
	readonly warm: Spent;
};
type Spent = Readonly<Record<string, { readonly p50: number; readonly p95: number }>>;

const [root = "", cacheRoot = "", kind = "", file = ""] = process.argv.slice(2);
const repository = openRepository(root, { cacheRoot, ...(kind === "words" && { model: null }) });
const queries: Queries = JSON.parse(readFileSync(file, "utf8"));
const first = await timeShapes((list) => list.slice(0, list.length / 2));
const warm = await timeShapes((list) => list.slice(list.length / 2));
global.gc?.();
const served: Served = { rssBytes: process.memoryUsage().rss, first, warm };
await repository.close();
console.log(JSON.stringify(served));

async function timeShapes(half: (list: readonly string[]) => readonly string[]): Promise<Spent> {
	const spent: Record<string, { p50: number; p95: number }> = {};
	for (const [shape, list] of Object.entries(queries)) spent[shape] = await timeQueries(repository, half(list));
	return spent;
}

/** Milliseconds of processor time of one search each. */
async function timeQueries(repository: Repository, queries: readonly string[]): Promise<{ p50: number; p95: number }> {
	const spent: number[] = [];
	for (const query of queries) {
		const before = process.cpuUsage();
		await repository.search({ query });
		const { user, system } = process.cpuUsage(before);
		spent.push((user + system) / 1000);
	}
	spent.sort((a, b) => a - b);
	const at = (share: number): number => spent[Math.floor(spent.length * share)] ?? 0;
	return { p50: at(0.5), p95: at(0.95) };
}
