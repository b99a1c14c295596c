import type { SnapshotFile } from "../store/snapshot.ts";
import type { Weights } from "./weights.ts";

/** The facts that decide a file's demotion. */
export type JudgedFile = Pick<SnapshotFile, "role" | "mode" | "language" | "method" | "pathWords" | "declares">;

/** A kind of file that people rarely look for. */
export type Factor = {
	/** The weight that such a file's score is multiplied by. */
	readonly weight: keyof Weights;
	readonly reason: string;
	/** What the benchmark's nDCG@10 loses without it; `null` where that has not been measured. */
	readonly ablation: number | null;
	readonly holds: (file: JudgedFile) => boolean;
	/** The words that ask for such files, for which the factor then does not count. */
	readonly asking: readonly string[] | ((file: JudgedFile) => readonly string[]);
};

/** Settings, markup and translations. */
const DATA_LANGUAGES: ReadonlySet<string> = new Set(["json", "jsonl", "yaml", "toml", "xml", "ini", "html", "plain"]);

/** All factors, in the order in which they are multiplied. A factor is added or removed by its row. */
export const FACTORS: readonly Factor[] = [
	{
		weight: "test",
		reason: "Tests have the words of what they test.",
		ablation: null,
		holds: ({ role }) => role === "test",
		asking: ["test", "tests", "tested", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks"],
	},
	{
		weight: "vendored",
		reason: "Code of others is rarely meant.",
		ablation: null,
		holds: ({ role }) => role === "vendored",
		asking: ["vendor", "vendored", "third"],
	},
	{
		weight: "generated",
		reason: "What is generated repeats its source.",
		ablation: null,
		holds: ({ role }) => role === "generated",
		asking: ["generated", "lock", "lockfile", "snapshot"],
	},
	{
		weight: "example",
		reason: "Examples, documents' code and leftovers use what others define.",
		ablation: null,
		holds: (file) => file.pathWords().aside !== "",
		asking: (file) => {
			const { aside } = file.pathWords();
			return [aside, `${aside}s`, aside.replace(/s$/, "")];
		},
	},
	{
		weight: "declaration",
		reason: "A file of types alone says less than the code.",
		ablation: null,
		holds: (file) => file.pathWords().declaration,
		asking: [],
	},
	{
		weight: "looseLines",
		reason: "An index.ts or __init__.py that declares nothing only exports again.",
		ablation: null,
		holds: (file) => file.pathWords().generic && file.method === "grammar" && !file.declares(),
		asking: [],
	},
	{
		weight: "data",
		reason: "Long questions share words with data by chance.",
		ablation: null,
		holds: ({ language }) => DATA_LANGUAGES.has(language),
		asking: [
			...["config", "configuration", "settings", "workflow", "pipeline", "manifest", "schema"],
			...["template", "templates", "markup", "translation", "translations", "locale"],
			...["json", "yaml", "yml", "toml", "xml", "html"],
		],
	},
	{
		weight: "prose",
		reason: "Most questions are about code.",
		ablation: null,
		holds: ({ mode }) => mode === "prose",
		asking: ["readme", "docs", "documentation", "changelog", "license", "guide"],
	},
];

/** The factor for a file's score, unless the query asks for that kind of file. */
export function makeDemotion(keywords: ReadonlySet<string>, weights: Weights): (file: JudgedFile) => number {
	const isAsked = (words: readonly string[]): boolean =>
		keywords.size <= weights.askingWords && words.some((word) => keywords.has(word));
	const factors = FACTORS.filter(({ asking }) => typeof asking === "function" || !isAsked(asking));
	return (file) => {
		let kept = 1;
		for (const { weight, holds, asking } of factors) {
			if (holds(file) && !(typeof asking === "function" && isAsked(asking(file)))) kept *= weights[weight];
		}
		return kept;
	};
}
