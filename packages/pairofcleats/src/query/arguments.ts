/** The values of `--mode`. */
export const SEARCH_MODES = ["code", "prose", "extracted-prose", "records", "all", "both"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];
/** The first two name the one store there is. The others are reserved, and refused with that reason. */
export const BACKENDS = ["auto", "memory", "sqlite", "sqlite-fts"] as const;
export type Backend = (typeof BACKENDS)[number];
/** What a search does where its caller says nothing. */
export const SEARCH_DEFAULTS = { mode: "both", top: 10, context: 2 } as const;
/** How much of each hit is returned. */
export const OUTPUTS = ["compact", "full", "json"] as const;
export type Output = (typeof OUTPUTS)[number];

/**
 * Every argument of a search: its name over MCP and HTTP, its flag on the command line, and what it takes.
 * Flags, validation and the tools' input schemas are all generated from this table.
 */
export const SEARCH_ARGUMENTS = {
	query: {
		flag: null,
		takes: "text",
		role: "core",
		says: 'Words, an identifier, "a phrase", /a regex/, -excluded, AND OR NOT ( )',
	},
	repoPath: { flag: "--repo", takes: "text", role: "core", says: "Repository to search" },
	mode: {
		flag: "--mode",
		takes: "choice",
		choices: SEARCH_MODES,
		role: "core",
		says: "What to search (default: both, which is code and prose)",
	},
	backend: {
		flag: "--backend",
		takes: "choice",
		choices: BACKENDS,
		role: "core",
		says: "The store to search: auto or sqlite, which there is; memory and sqlite-fts are refused",
	},
	output: {
		flag: null,
		takes: "choice",
		choices: OUTPUTS,
		role: "core",
		says: "compact (default), or full: also source, facts, git, lint",
	},
	ann: {
		flag: "--ann",
		takes: "boolean",
		role: "core",
		says: "Vector similarity: on, off, or on when a model is there",
	},
	top: {
		flag: "-n",
		takes: "integer",
		minimum: 1,
		role: "core",
		says: "Most hits to return (default 10); 100 are some 50 kB",
	},
	context: {
		flag: "--context",
		takes: "integer",
		minimum: 0,
		role: "core",
		says: "Lines shown round each matched line",
	},
	offset: { flag: "--offset", takes: "integer", minimum: 0, role: "core", says: "Hits to skip, for the next page" },
	explain: { flag: "--explain", takes: "boolean", role: "core", says: "Show the parts of each score" },
	type: {
		flag: "--type",
		takes: "text",
		role: "filter",
		says: "Kind of chunk: function, class, section, …; several with commas",
	},
	author: { flag: "--author", takes: "text", role: "filter", says: "Last author of the file, part of the name" },
	import: { flag: "--import", takes: "text", role: "filter", says: "Module that the file imports, as written" },
	calls: { flag: "--calls", takes: "text", role: "filter", says: "Function that the chunk calls" },
	uses: { flag: "--uses", takes: "text", role: "filter", says: "Identifier that the chunk uses" },
	signature: { flag: "--signature", takes: "text", role: "filter", says: "Part of the signature" },
	param: { flag: "--param", takes: "text", role: "filter", says: "Name of a parameter" },
	decorator: { flag: "--decorator", takes: "text", role: "filter", says: "Part of a decorator or annotation" },
	inferredType: { flag: "--inferred-type", takes: "text", role: "filter", says: "Part of an inferred type" },
	returnType: { flag: "--return-type", takes: "text", role: "filter", says: "Part of the return type" },
	throws: { flag: "--throws", takes: "text", role: "filter", says: "Part of an error that the chunk throws" },
	reads: { flag: "--reads", takes: "text", role: "filter", says: "Part of a variable that the chunk reads" },
	writes: { flag: "--writes", takes: "text", role: "filter", says: "Part of a variable that the chunk assigns" },
	mutates: {
		flag: "--mutates",
		takes: "text",
		role: "filter",
		says: "Part of an object or property that the chunk changes",
	},
	alias: { flag: "--alias", takes: "text", role: "filter", says: "Part of an alias, left=right" },
	awaits: { flag: "--awaits", takes: "text", role: "filter", says: "Part of a call that the chunk awaits" },
	risk: { flag: "--risk", takes: "text", role: "filter", says: "Risk tag" },
	riskTag: { flag: "--risk-tag", takes: "text", role: "filter", says: "Risk tag" },
	riskSource: { flag: "--risk-source", takes: "text", role: "filter", says: "Where risky data comes from" },
	riskSink: { flag: "--risk-sink", takes: "text", role: "filter", says: "Where risky data goes" },
	riskCategory: { flag: "--risk-category", takes: "text", role: "filter", says: "Category of the risk" },
	riskFlow: { flag: "--risk-flow", takes: "text", role: "filter", says: "Flow, source->sink" },
	branchesMin: { flag: "--branches", takes: "integer", minimum: 0, role: "filter", says: "At least so many branches" },
	loopsMin: { flag: "--loops", takes: "integer", minimum: 0, role: "filter", says: "At least so many loops" },
	breaksMin: { flag: "--breaks", takes: "integer", minimum: 0, role: "filter", says: "At least so many breaks" },
	continuesMin: {
		flag: "--continues",
		takes: "integer",
		minimum: 0,
		role: "filter",
		says: "At least so many continues",
	},
	churnMin: {
		flag: "--churn",
		takes: "integer",
		minimum: 0,
		role: "filter",
		says: "At least so many lines changed in recent history",
	},
	chunkAuthor: {
		flag: "--chunk-author",
		takes: "text",
		role: "filter",
		says: "Author of a line of the chunk, part of the name",
	},
	modifiedAfter: {
		flag: "--modified-after",
		takes: "text",
		expects: "a date such as 2026-01-31 (modifiedSince takes days)",
		role: "filter",
		says: "Changed on or after this date",
	},
	modifiedSince: {
		flag: "--modified-since",
		takes: "number",
		expects: "a number of days (modifiedAfter takes a date)",
		minimum: 0,
		role: "filter",
		says: "Changed within so many days",
	},
	visibility: { flag: "--visibility", takes: "text", role: "filter", says: "public, protected, private or internal" },
	extends: {
		flag: "--extends",
		takes: "text",
		role: "filter",
		says: "Name of a base class or interface; * stands for any text",
	},
	lint: {
		flag: "--lint",
		takes: "boolean",
		role: "filter",
		says: "Has lint findings or parse errors (false: has none)",
	},
	async: { flag: "--async", takes: "boolean", role: "filter", says: "Is async (false: is not)" },
	generator: { flag: "--generator", takes: "boolean", role: "filter", says: "Is a generator (false: is not)" },
	returns: { flag: "--returns", takes: "boolean", role: "filter", says: "Returns a value (false: does not)" },
	branch: { flag: "--branch", takes: "text", role: "filter", says: "Git branch that the index is of" },
	lang: { flag: "--lang", takes: "text", role: "filter", says: "Language; several with commas" },
	case: { flag: "--case", takes: "boolean", role: "filter", says: "Match words and paths with their case" },
	caseFile: { flag: "--case-file", takes: "boolean", role: "filter", says: "Match paths with their case" },
	caseTokens: { flag: "--case-tokens", takes: "boolean", role: "filter", says: "Match words with their case" },
	path: {
		flag: "--path",
		takes: "texts",
		role: "filter",
		says: "Part of the path, a glob or a /regex/; may be repeated",
	},
	file: {
		flag: "--file",
		takes: "texts",
		role: "filter",
		says: "Part of the file name, a glob or a /regex/; may be repeated",
	},
	ext: { flag: "--ext", takes: "texts", role: "filter", says: "File extension; may be repeated" },
	meta: { flag: "--meta", takes: "meta", role: "filter", says: "Record field: key or key=value; may be repeated" },
	metaJson: { flag: "--meta-json", takes: "json", role: "filter", says: "Record fields as a JSON object" },
} as const satisfies Record<string, SearchArgument>;

export type SearchArgument = {
	/** `null` if the command line has no flag for it: the query is positional, output is --json or --compact. */
	readonly flag: string | null;
	readonly takes: "text" | "texts" | "choice" | "boolean" | "integer" | "number" | "meta" | "json";
	readonly choices?: readonly string[];
	readonly minimum?: number;
	/** What an error message says was expected, if the type alone does not tell. */
	readonly expects?: string;
	readonly role: "core" | "filter";
	readonly says: string;
};

export type SearchArgumentName = keyof typeof SEARCH_ARGUMENTS;
