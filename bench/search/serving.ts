// One process that serves searches from a built index: the figures of its queries and its memory, as JSON on stdout.
//   node serving.ts <folder> <cache> words|vectors
import { openRepository, type Repository } from "pairofcleats";

export type Served = {
	readonly chunks: number;
	readonly textBytes: number;
	readonly rssBytes: number;
	readonly spent: Readonly<Record<string, { readonly p50: number; readonly p95: number }>>;
};

const QUERIES_PER_KIND = 150;
const [root = "", cacheRoot = "", kind = ""] = process.argv.slice(2);
const repository = openRepository(root, { cacheRoot, ...(kind === "words" && { model: null }) });
const { chunks, textBytes } = await repository.status();
const names = (await repository.map())
	.map(({ name }) => name)
	.filter((name) => /^\w{4,40}$/.test(name) && /[a-z]{3}/i.test(name));
const spent: Record<string, { p50: number; p95: number }> = {};
for (const [shape, make] of Object.entries(queryShapes(names))) spent[shape] = await timeQueries(repository, make);
global.gc?.();
const served: Served = {
	chunks: Object.values(chunks).reduce((sum, count) => sum + count, 0),
	textBytes,
	rssBytes: process.memoryUsage().rss,
	spent,
};
await repository.close();
console.log(JSON.stringify(served));

/** Queries made of names of the tree itself: as a symbol, as a question, as a paragraph. */
function queryShapes(names: readonly string[]): Record<string, (index: number) => string> {
	const name = (index: number): string => names[(index * 7919) % names.length] ?? "main";
	const words = (index: number, count: number): string =>
		Array.from({ length: count }, (_, word) =>
			name(index * count + word)
				.replaceAll(/([a-z])([A-Z])|_/g, "$1 $2")
				.toLowerCase(),
		).join(" ");
	return {
		symbol: name,
		question: (index) => `how does the ${words(index, 2)} handle ${words(index + 1, 1)}`,
		paragraph: (index) =>
			`When I call ${words(index, 12)} it fails with an error, because ${words(index + 3, 20)} and then ${words(index + 5, 20)}`,
	};
}

/** Milliseconds of processor time of one search each, in a process that has just answered others. */
async function timeQueries(
	repository: Repository,
	make: (index: number) => string,
): Promise<{ p50: number; p95: number }> {
	const spent: number[] = [];
	for (let index = -50; index < QUERIES_PER_KIND; index++) {
		const before = process.cpuUsage();
		await repository.search({ query: make(index < 0 ? QUERIES_PER_KIND - index : index) });
		const { user, system } = process.cpuUsage(before);
		if (index >= 0) spent.push((user + system) / 1000);
	}
	spent.sort((a, b) => a - b);
	const at = (share: number): number => spent[Math.floor(spent.length * share)] ?? 0;
	return { p50: at(0.5), p95: at(0.95) };
}
