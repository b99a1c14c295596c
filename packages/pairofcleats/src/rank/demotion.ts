import type { SnapshotFile } from "../index/snapshot.ts";
import type { Weights } from "./weights.ts";

const EXAMPLE = /(?:^|\/)(?:examples?|samples?|demos?|docs?|benchmarks?|bench|compat|legacy|deprecated)\//i;
const DECLARATION = /\.d\.[cm]?ts$/;

/** What is kept of a file's score, unless the query asks for just that kind of file. */
export function demotion(file: SnapshotFile, keywords: ReadonlySet<string>, weights: Weights): number {
	let kept = 1;
	const asks = (...words: string[]): boolean => words.some((word) => keywords.has(word));
	if (file.role === "test" && !asks("test", "tests", "testing", "spec", "fixture", "fixtures", "mock"))
		kept *= weights.test;
	if (file.role === "vendored" && !asks("vendor", "vendored", "third")) kept *= weights.vendored;
	if (file.role === "generated" && !asks("generated", "lock", "lockfile", "snapshot")) kept *= weights.generated;
	const example = EXAMPLE.exec(file.path)?.[0].replaceAll("/", "").toLowerCase();
	if (example !== undefined && !asks(example, `${example}s`, example.replace(/s$/, ""))) kept *= weights.example;
	if (DECLARATION.test(file.path)) kept *= weights.declaration;
	if (file.mode === "prose" && !asks("readme", "docs", "documentation", "changelog", "license", "guide"))
		kept *= weights.prose;
	return kept;
}
