import type { SnapshotFile } from "../store/snapshot.ts";
import type { Weights } from "./weights.ts";

/** The facts that decide a file's demotion. */
export type JudgedFile = Pick<SnapshotFile, "role" | "mode" | "language" | "method" | "pathWords" | "declares">;

/** The factor for a file's score (tests, vendored, generated files), unless the query asks for that kind of file. */
export function demotion(keywords: ReadonlySet<string>, weights: Weights): (file: JudgedFile) => number {
	const asks = (words: readonly string[]): boolean =>
		keywords.size <= weights.askingWords && words.some((word) => keywords.has(word));
	const unlessAsked = (words: readonly string[], weight: number): number => (asks(words) ? 1 : weight);
	const byRole: Readonly<Record<SnapshotFile["role"], number>> = {
		source: 1,
		test: unlessAsked(TEST_WORDS, weights.test),
		vendored: unlessAsked(["vendor", "vendored", "third"], weights.vendored),
		generated: unlessAsked(["generated", "lock", "lockfile", "snapshot"], weights.generated),
	};
	const prose = unlessAsked(["readme", "docs", "documentation", "changelog", "license", "guide"], weights.prose);
	const data = unlessAsked(DATA_WORDS, weights.data);
	return (file) => {
		let kept = byRole[file.role];
		const { aside, declaration, generic } = file.pathWords();
		if (aside !== "" && !asks([aside, `${aside}s`, aside.replace(/s$/, "")])) kept *= weights.example;
		if (declaration) kept *= weights.declaration;
		// An index.ts or __init__.py that only re-exports.
		if (generic && file.method === "grammar" && !file.declares()) kept *= weights.looseLines;
		if (DATA_LANGUAGES.has(file.language)) kept *= data;
		if (file.mode === "prose") kept *= prose;
		return kept;
	};
}

const TEST_WORDS = ["test", "tests", "tested", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks"];

/** Settings, markup and translations. Long questions share words with them by chance. */
const DATA_LANGUAGES: ReadonlySet<string> = new Set(["json", "jsonl", "yaml", "toml", "xml", "ini", "html", "plain"]);
const DATA_WORDS = [
	...["config", "configuration", "settings", "workflow", "pipeline", "manifest", "schema"],
	...["template", "templates", "markup", "translation", "translations", "locale"],
	...["json", "yaml", "yml", "toml", "xml", "html"],
];
