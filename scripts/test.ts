// `npm test` builds, then runs every test; `npm test -- <globs>` runs some.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run, runOrExit } from "./run.ts";

const chosen = process.argv.slice(2);
const patterns =
	chosen.length > 0 ? chosen : ["packages/*/test/**/*.test.ts", "e2e/**/*.test.ts", "scripts/**/*.test.ts"];
const results = join(ROOT, ".cache", chosen.length > 0 ? "test-results.partial.jsonl" : "test-results.jsonl");
mkdirSync(join(ROOT, ".cache"), { recursive: true });
runOrExit("node", ["scripts/build.ts"]);
process.exit(
	run("node", [
		"--disable-warning=ExperimentalWarning",
		"--test",
		"--test-concurrency=2",
		"--test-timeout=300000",
		"--test-reporter=./scripts/quietReporter.ts",
		"--test-reporter-destination=stdout",
		"--test-reporter=./scripts/resultsReporter.ts",
		`--test-reporter-destination=${results}`,
		...patterns,
	]),
);
