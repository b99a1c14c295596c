import { globSync } from "node:fs";
import { ROOT } from "./run.ts";

/** Ends the process if a path or glob names no file: the runner would pass with no test. */
export function exitIfUnmatched(patterns: readonly string[]): void {
	const unmatched = patterns.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0);
	if (unmatched.length === 0) return;
	console.error(`expected paths or globs of test files from the root of the project, got ${unmatched.join(", ")}`);
	process.exit(2);
}
