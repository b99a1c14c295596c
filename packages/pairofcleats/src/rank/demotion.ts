import type { SnapshotFile } from "../index/snapshot.ts";
import type { Weights } from "./weights.ts";

/** What is kept of a file's score, unless the query asks for just that kind of file. */
export function demotion(keywords: ReadonlySet<string>, weights: Weights): (file: SnapshotFile) => number {
	const asks = (words: readonly string[]): boolean =>
		keywords.size <= weights.askingWords && words.some((word) => keywords.has(word));
	const unlessAsked = (words: readonly string[], weight: number): number => (asks(words) ? 1 : weight);
	const byRole: Readonly<Record<SnapshotFile["role"], number>> = {
		source: 1,
		test: unlessAsked(["test", "tests", "testing", "spec", "fixture", "fixtures", "mock"], weights.test),
		vendored: unlessAsked(["vendor", "vendored", "third"], weights.vendored),
		generated: unlessAsked(["generated", "lock", "lockfile", "snapshot"], weights.generated),
	};
	const prose = unlessAsked(["readme", "docs", "documentation", "changelog", "license", "guide"], weights.prose);
	return (file) => {
		let kept = byRole[file.role];
		const { aside, declaration } = file.pathWords();
		if (aside !== "" && !asks([aside, `${aside}s`, aside.replace(/s$/, "")])) kept *= weights.example;
		if (declaration) kept *= weights.declaration;
		if (file.mode === "prose") kept *= prose;
		return kept;
	};
}
