// Warm queries in process, the command line cold, and expressions beside ripgrep on the same tree.
//   npm run bench -- search [folder]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openRepository, type Repository } from "pairofcleats";

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const cacheRoot = mkdtempSync(join(tmpdir(), "bench-search-"));
const print = (figure: string, values: object): void =>
	console.log(JSON.stringify({ bench: "search", figure, ...values }));
const round = (value: number): number => Number(value.toFixed(2));
const QUERIES_PER_KIND = 150;

try {
	const repository = openRepository(root, { cacheRoot, model: null });
	await repository.buildIndex();
	const status = await repository.status();
	const chunks = Object.values(status.chunks).reduce((sum, count) => sum + count, 0);
	const names = (await repository.map())
		.map(({ name }) => name)
		.filter((name) => /^\w{4,40}$/.test(name) && /[a-z]{3}/i.test(name));
	for (const [kind, make] of Object.entries(queryKinds(names))) await timeQueries(repository, kind, make, chunks);
	await timeRegexes(repository);
	global.gc?.();
	print("serving memory", {
		rssMegabytes: Math.round(process.memoryUsage().rss / 1e6),
		textMegabytes: round(status.textBytes / 1e6),
		target: 250,
	});
	await repository.close();
	coldSearch();
} finally {
	rmSync(cacheRoot, { recursive: true, force: true });
}

/** Queries made of names of the tree itself: as a symbol, as a question, as a paragraph. */
function queryKinds(names: readonly string[]): Record<string, (index: number) => string> {
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

async function timeQueries(
	repository: Repository,
	kind: string,
	make: (index: number) => string,
	chunks: number,
): Promise<void> {
	const spent: number[] = [];
	for (let index = -20; index < QUERIES_PER_KIND; index++) {
		const before = process.cpuUsage();
		await repository.search({ query: make(Math.abs(index)) });
		const { user, system } = process.cpuUsage(before);
		if (index >= 0) spent.push((user + system) / 1000);
	}
	spent.sort((a, b) => a - b);
	const at = (share: number): number => round(spent[Math.floor(spent.length * share)] ?? 0);
	print(`warm ${kind}`, { chunks, cpuP50Ms: at(0.5), cpuP95Ms: at(0.95), targetP50: 2, targetP95: 10 });
}

async function timeRegexes(repository: Repository): Promise<void> {
	for (const pattern of ["return \\w+\\.length", "TODO|FIXME", "class \\w+Error", "[a-z]+_[a-z]+_[a-z]+_id"]) {
		const ours = await best(
			async () => (await repository.search({ query: `/${pattern}/`, mode: "all", top: 50 })).totals.files,
		);
		const theirs = await best(async () => {
			const run = spawnSync("rg", ["-l", "--hidden", pattern, root], { encoding: "utf8", maxBuffer: 1 << 28 });
			if (run.error) return undefined;
			return run.stdout.split("\n").length - 1;
		});
		print("regex", {
			pattern,
			ms: round(ours.ms),
			files: ours.value,
			ripgrepMs: theirs.value === undefined ? null : round(theirs.ms),
			ratio: theirs.value === undefined ? null : round(ours.ms / theirs.ms),
		});
	}
}

async function best<Value>(body: () => Promise<Value>): Promise<{ ms: number; value: Value }> {
	let ms = Number.POSITIVE_INFINITY;
	let value = await body();
	for (let round = 0; round < 5; round++) {
		const before = performance.now();
		value = await body();
		ms = Math.min(ms, performance.now() - before);
	}
	return { ms, value };
}

/** Processor seconds of the whole command, start of Node included. */
function coldSearch(): void {
	const program = join(import.meta.dirname, "..", "packages", "pairofcleats", "bin", "pairofcleats.js");
	const script = `TIMEFORMAT='%U %S'; time "${process.execPath}" "${program}" search "open file" --repo "${root}" --compact >/dev/null`;
	const runs = Array.from({ length: 5 }, () => {
		const { stderr } = spawnSync("bash", ["-c", script], {
			encoding: "utf8",
			env: { ...process.env, PAIROFCLEATS_CACHE_ROOT: cacheRoot },
		});
		const [user, system] = stderr.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
		return (user ?? Number.NaN) + (system ?? Number.NaN);
	});
	print("cold command", { cpuSeconds: round(Math.min(...runs)), target: 0.35 });
}
