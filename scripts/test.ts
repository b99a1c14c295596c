// `npm test` builds, then runs every test; `npm test -- <globs>` runs some.
import { appendFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { FAILED_FILE } from "./resultsReporter.ts";
import { COMPILED, ROOT, run, runOrExit } from "./run.ts";
import { exitIfUnmatched } from "./unmatched.ts";

/** More than a starved machine fails are a fault of the change. */
const MOST_REPEATED = 8;
const LOOKS_INTO_BUNDLES = /\bfast\/|\bbundle|\bpack\b/;

const chosen = process.argv.slice(2);
const patterns =
	chosen.length > 0
		? chosen
		: ["packages/*/test/**/*.test.ts", "e2e/**/*.test.ts", "sim/**/*.test.ts", "scripts/**/*.test.ts"];
exitIfUnmatched(patterns);
const results = join(ROOT, ".cache", chosen.length > 0 ? "test-results.partial.jsonl" : "test-results.jsonl");
mkdirSync(join(ROOT, ".cache"), { recursive: true });
// Thousands of processes load the same modules: what one has compiled serves the others. Files of tests pile up in it.
if (chosen.length === 0) rmSync(COMPILED, { recursive: true, force: true });
process.env.NODE_COMPILE_CACHE ??= COMPILED;
runOrExit("node", ["scripts/build.ts", ...(needsBundles() ? [] : ["--types"])]);
useEmptyHome();
// Many files wait for what they have started, so that two processors have time for a third.
const code = test(patterns, 3, results);
const failed = code === 0 ? [] : failedFiles(results);
if (failed.length === 0 || failed.length > MOST_REPEATED) process.exit(code);

// These tests kill processes and cut lines; files that run at once can starve one another on a small machine.
console.log(`\nonce more, alone: ${failed.join(", ")}`);
const again = join(ROOT, ".cache", "test-results.again.jsonl");
const alone = test(failed, 1, again);
const twice = failedFiles(again);
appendFileSync(results, readFileSync(again, "utf8"));
rmSync(again);
const once = failed.filter((file) => !twice.includes(file));
if (once.length > 0) console.log(`passed only alone: ${once.join(", ")}`);
if (twice.length > 0) console.log(`failed twice: ${twice.join(", ")}`);
process.exit(alone);

/** What is in somebody's home is neither found nor changed by a test that names no home of its own. */
function useEmptyHome(): void {
	process.env.npm_config_cache ??= join(homedir(), ".npm");
	const home = mkdtempSync(join(tmpdir(), "holdfast-test-home-"));
	process.on("exit", () => rmSync(home, { recursive: true, force: true }));
	process.env.HOME = home;
}

/** Few tests look into the bundles; to the others a command does the same without them. */
function needsBundles(): boolean {
	if (chosen.length === 0) return true;
	return chosen
		.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
		.some((file) => LOOKS_INTO_BUNDLES.test(read(file)));
}

function read(file: string): string {
	return readFileSync(join(ROOT, file), "utf8");
}

function test(files: readonly string[], concurrency: number, destination: string): number {
	return run("node", [
		"--disable-warning=ExperimentalWarning",
		"--import=./scripts/endOfFile.ts",
		"--import=./scripts/withoutColour.ts",
		"--test",
		`--test-concurrency=${concurrency}`,
		"--test-timeout=300000",
		"--test-reporter=./scripts/quietReporter.ts",
		"--test-reporter-destination=stdout",
		"--test-reporter=./scripts/resultsReporter.ts",
		`--test-reporter-destination=${destination}`,
		...files,
	]);
}

function failedFiles(destination: string): string[] {
	const lines = readFileSync(destination, "utf8").split("\n").filter(Boolean);
	const found = lines
		.map((line) => JSON.parse(line))
		.filter(({ name, file, outcome }) => name === FAILED_FILE || (outcome === "fail" && /\.test\.ts$/.test(file)));
	return [...new Set(found.map(({ file }) => String(file)))].filter((file) => existsSync(join(ROOT, file)));
}
