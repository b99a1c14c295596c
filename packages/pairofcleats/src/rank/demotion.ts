import type { SnapshotFile } from "../index/snapshot.ts";
import type { Weights } from "./weights.ts";

/** What is kept of a file's score, unless the query asks for just that kind of file. */
export function demotion(file: SnapshotFile, keywords: ReadonlySet<string>, weights: Weights): number {
	let kept = 1;
	const asks = (...words: string[]): boolean => words.some((word) => keywords.has(word));
	if (file.role === "test" && !asks("test", "tests", "testing", "spec", "fixture", "fixtures", "mock"))
		kept *= weights.test;
	if (file.role === "vendored" && !asks("vendor", "vendored", "third")) kept *= weights.vendored;
	if (file.role === "generated" && !asks("generated", "lock", "lockfile", "snapshot")) kept *= weights.generated;
	const { aside, declaration } = file.pathWords();
	if (aside !== "" && !asks(aside, `${aside}s`, aside.replace(/s$/, ""))) kept *= weights.example;
	if (declaration) kept *= weights.declaration;
	if (file.mode === "prose" && !asks("readme", "docs", "documentation", "changelog", "license", "guide"))
		kept *= weights.prose;
	return kept;
}
