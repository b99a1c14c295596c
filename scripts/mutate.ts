// `npm run mutate -- <folder>` breaks the sources of a folder in one place at a time and looks whether a test notices.
// Prints the survivors and the share of mutants that some test killed.
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Coverage, isRun, readCoverage } from "./mutate/coverage.ts";
import { listMutants, type Mutant } from "./mutate/mutants.ts";
import { ROOT, runOrExit } from "./run.ts";

const USAGE = `usage: npm run mutate -- packages/<package>/src/<folder> [options]
  --tests <glob>    test files that may notice (default: all of the package)
  --sample <n>      only so many mutants, drawn by the seed (default: all)
  --seed <n>        (default: 1)
  --least <percent> exit with 1 if fewer are killed`;
const HOOK = join(ROOT, "scripts/mutate/mutantHook.ts");
const WORKERS = 2;
/** A mutant may loop; a test may take so much longer than without one. */
const PATIENCE = { factor: 3, extraMs: 5_000 };

type Located = Mutant & { readonly file: string };
type Known = { readonly coverage: Coverage; readonly ms: number };
type Ending = { readonly passed: boolean; readonly ms: number };

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		tests: { type: "string" },
		sample: { type: "string" },
		seed: { type: "string" },
		least: { type: "string" },
	},
});
const target = /^(packages\/(\w+)\/)src\/([\w/]+?)\/?$/.exec(positionals[0] ?? "");
if (target === null || positionals.length > 1) {
	console.error(USAGE);
	process.exit(2);
}
const packageFolder = join(ROOT, target[1] ?? "");
const folder = target[3] ?? "";
const tests = globSync(values.tests ?? `${target[1]}test/**/*.test.ts`, { cwd: ROOT }).sort();
const scratch = mkdtempSync(join(tmpdir(), "holdfast-mutate-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

runOrExit("node", ["scripts/build.ts", "--types"]);
const known = await coverTests();
const mutants = drawSample(allMutants());
console.log(`${mutants.length} mutants of ${folder}, ${known.size} test files run its code`);

const survivors: Located[] = [];
let killed = 0;
await inParallel(mutants, async (mutant) => {
	if (await isKilled(mutant)) killed += 1;
	else survivors.push(mutant);
	if ((killed + survivors.length) % 50 === 0) console.log(`… ${killed + survivors.length}, ${killed} killed`);
});

survivors.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
for (const { file, line, label } of survivors) console.log(`survived: ${target[1]}src/${file}:${line} ${label}`);
const share = (100 * killed) / Math.max(1, mutants.length);
console.log(`${folder}: ${killed} of ${mutants.length} mutants killed, ${share.toFixed(1)} %`);
if (share < Number(values.least ?? 0)) process.exitCode = 1;

function allMutants(): Located[] {
	return globSync(`src/${folder}/**/*.ts`, { cwd: packageFolder })
		.sort()
		.flatMap((path) => {
			const file = path.slice("src/".length);
			return listMutants(readFileSync(join(packageFolder, path), "utf8")).map((mutant) => ({ ...mutant, file }));
		});
}

/** The same seed draws the same mutants of the same sources. */
function drawSample(all: Located[]): Located[] {
	if (values.sample === undefined) return all;
	let state = Number(values.seed ?? 1) >>> 0;
	const random = (): number => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
	const keyed = all.map((mutant) => ({ mutant, key: random() })).sort((a, b) => a.key - b.key);
	return keyed.slice(0, Number(values.sample)).map(({ mutant }) => mutant);
}

/** Runs each test once without a mutant; those that fail or run nothing of the folder are left out. */
async function coverTests(): Promise<Map<string, Known>> {
	const found = new Map<string, Known>();
	await inParallel(tests, async (test) => {
		const reports = mkdtempSync(join(scratch, "coverage-"));
		const { passed, ms } = await runTest(test, {}, 180_000, { NODE_V8_COVERAGE: reports });
		if (!passed) return console.log(`left out, fails without a mutant: ${test}`);
		const coverage = readCoverage(reports, packageFolder, folder);
		rmSync(reports, { recursive: true });
		if (Object.keys(coverage).length > 0) found.set(test, { coverage, ms });
	});
	return found;
}

async function isKilled({ file, start, end, replacement }: Located): Promise<boolean> {
	const reaching = [...known]
		.filter(([, { coverage }]) => isRun(coverage, file, start))
		.sort(([, a], [, b]) => a.ms - b.ms);
	for (const [test, { ms }] of reaching) {
		const limit = ms * PATIENCE.factor + PATIENCE.extraMs;
		const { passed } = await runTest(test, { file, start, end, replacement }, limit);
		if (!passed) return true;
	}
	return false;
}

async function runTest(test: string, mutation: object, limitMs: number, more: NodeJS.ProcessEnv = {}): Promise<Ending> {
	const home = mkdtempSync(join(scratch, "home-"));
	const env = {
		...process.env,
		...more,
		HOME: home,
		HOLDFAST_MUTATION: JSON.stringify({ package: packageFolder, folder, ...mutation }),
		NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${HOOK}`,
	};
	const started = performance.now();
	const options = ["--import=./scripts/endOfFile.ts", "--import=./scripts/withoutColour.ts", "--test-timeout=60000"];
	const child = spawn(process.execPath, [...options, test], { cwd: ROOT, env, stdio: "ignore", detached: true });
	const { promise, resolve } = Promise.withResolvers<number | null>();
	child.on("exit", resolve);
	const timer = setTimeout(() => kill(child.pid), limitMs);
	const code = await promise;
	clearTimeout(timer);
	kill(child.pid);
	rmSync(home, { recursive: true, force: true });
	return { passed: code === 0, ms: performance.now() - started };
}

/** Ends a test with what it has left running in its group. */
function kill(pid: number | undefined): void {
	try {
		if (pid !== undefined) process.kill(-pid, "SIGKILL");
	} catch {
		// The group has ended by itself.
	}
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
	const queue = items.values();
	await Promise.all(
		Array.from({ length: WORKERS }, async () => {
			for (const item of queue) await work(item);
		}),
	);
}
