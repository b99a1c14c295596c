// A full build, an update without changes and one edited file, beside reading the same files and splitting their lines.
//   npm run bench -- index [folder]
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { openRepository } from "pairofcleats";

const source = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const base = mkdtempSync(join(tmpdir(), "bench-index-"));
const root = join(base, "repo");
const print = (figure: string, values: object): void =>
	console.log(JSON.stringify({ bench: "index", figure, ...values }));
const round = (value: number, places = 2): number => Number(value.toFixed(places));

try {
	copyTree(source, root);
	const repository = openRepository(root, { cacheRoot: join(base, "cache"), model: null, freshnessMs: 0 });
	const built = await repository.buildIndex();
	const status = await repository.status();
	const paths = [...new Set((await repository.map()).map(({ path }) => path))];
	const baseline = cpuOf(() => {
		let lines = 0;
		for (const path of paths)
			if (!path.startsWith("@")) lines += readFileSync(join(root, path), "utf8").split("\n").length;
		return lines;
	});
	const megabytes = built.bytes / 1e6;
	print("build", {
		megabytes: round(megabytes),
		files: built.files.indexed,
		chunks: Object.values(status.chunks).reduce((sum, count) => sum + count, 0),
		cpuSeconds: round(built.cpuMs / 1000),
		megabytesPerCpuSecond: round(megabytes / (built.cpuMs / 1000)),
		target: 2.5,
		baselineReadAndSplitMs: round(baseline),
		ratio: round(built.cpuMs / baseline, 1),
		peakRssMegabytes: Math.round(built.peakRssBytes / 1e6),
	});
	print("size", { indexOverText: round(status.indexBytes / status.textBytes), targetWithRegex: 2.5 });
	const same = await repository.updateIndex();
	print("no-op update", { files: same.files.unchanged, cpuMs: same.cpuMs, durationMs: same.durationMs, target: 400 });
	await editOne(repository, paths[0] ?? "");
	await repository.close();
} finally {
	rmSync(base, { recursive: true, force: true });
}

async function editOne(repository: ReturnType<typeof openRepository>, path: string): Promise<void> {
	await repository.search({ query: "warm" });
	const spent: number[] = [];
	for (let edit = 0; edit < 8; edit++) {
		appendFileSync(join(root, path), `\nuniqueword${edit}marker\n`);
		const before = performance.now();
		const { hits } = await repository.search({ query: `uniqueword${edit}marker`, mode: "all" });
		if (hits[0]?.path !== path) throw new Error("the edit is not seen");
		spent.push(performance.now() - before);
	}
	spent.sort((a, b) => a - b);
	print("edit to visible", { p50Ms: round(spent[4] ?? 0), worstMs: round(spent.at(-1) ?? 0), target: 100 });
}

function cpuOf(body: () => number): number {
	const before = process.cpuUsage();
	if (body() === 0) throw new Error("nothing was read");
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

function copyTree(from: string, to: string): void {
	if (!existsSync(join(from, ".git"))) {
		cpSync(from, to, { recursive: true });
		return;
	}
	const listed = execFileSync("git", ["ls-files", "-coz", "--exclude-standard"], { cwd: from, maxBuffer: 1 << 28 });
	for (const path of listed
		.toString("utf8")
		.split("\0")
		.filter((name) => name !== "" && existsSync(join(from, name)))) {
		mkdirSync(dirname(join(to, path)), { recursive: true });
		cpSync(join(from, path), join(to, path));
	}
}
