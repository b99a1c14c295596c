import { readSearchRequest } from "../query/request.ts";
import {
	FILE_TEXT,
	FLAG,
	makeInputSchema,
	makeSearchInputSchema,
	RECORD,
	REPO_PATH,
	RESERVED,
	SEARCH_RESULT,
	TEXT,
} from "./schemas.ts";
import { LONG_MS, REPEATABLE, SHORT_MS, type Tool } from "./tool.ts";

const READS = { effect: REPEATABLE, readOnly: true, destructive: false } as const;
/** Repeatable, because a second build continues where the first stopped and ends in the same index. */
const BUILDS = { effect: REPEATABLE, readOnly: false, destructive: false } as const;

/** The tools that search, inspect and build an index. */
export const INDEX_TOOLS = {
	index_status: {
		...READS,
		title: "State of an index",
		description: "Whether the repository has an index, how fresh it is, its sizes and what it holds.",
		inputSchema: makeInputSchema({ repoPath: REPO_PATH }),
		result: { repo: TEXT, status: RECORD },
		timeoutMs: SHORT_MS,
	},
	config_status: {
		...READS,
		title: "Configuration in force",
		description: "The effective configuration, what this machine can do, and warnings about what is missing.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			host: { ...FLAG, description: "Also health and telemetry of the host" },
		}),
		result: { repo: TEXT, config: RECORD, capabilities: RECORD, warnings: { type: "array" } },
		optional: { host: RECORD },
		timeoutMs: SHORT_MS,
	},
	build_index: {
		...BUILDS,
		title: "Build the index",
		description: "Builds the repository's index, or brings it up to the disk. Searches go on meanwhile.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			incremental: { ...FLAG, description: "Take in only what changed (default: build anew)" },
			blame: { ...FLAG, description: "Record who wrote each line, for chunkAuthor" },
			mode: RESERVED,
			stubEmbeddings: RESERVED,
			useArtifacts: RESERVED,
		}),
		result: { repo: TEXT, build: RECORD },
		timeoutMs: LONG_MS,
	},
	search: {
		...READS,
		title: "Search the repository",
		description:
			"Searches code and documentation of the project: finds functions, classes and text in source files by a question, " +
			"words as for grep, or an identifier, its definition first. Ranked hits with path, lines and snippet; every filter " +
			"given, such as calls, extends or path, must hold.",
		inputSchema: makeSearchInputSchema(),
		result: { repo: TEXT, search: RECORD },
		inside: { search: SEARCH_RESULT },
		timeoutMs: SHORT_MS,
		check: ({ render: _, ...request }) => void readSearchRequest(request),
	},
	build_sqlite_index: {
		...BUILDS,
		title: "Build the SQLite index",
		description: "Builds the SQLite file that every search reads, then checks each part of it.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			incremental: { ...FLAG, description: "Take in only what changed (default: build anew)" },
			validate: { ...FLAG, description: "Read all of it afterwards (default: true)" },
			mode: RESERVED,
			out: RESERVED,
		}),
		result: { repo: TEXT, build: RECORD, sqlite: RECORD },
		timeoutMs: LONG_MS,
	},
	report_artifacts: {
		...READS,
		title: "Sizes on disk",
		description: "The files that the repository's index takes on disk, with their sizes.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			allRepos: { ...FLAG, description: "Also every other repository in the cache" },
		}),
		result: { repo: TEXT, artifacts: RECORD },
		optional: { repositories: { type: "array" } },
		timeoutMs: SHORT_MS,
	},
	show_file: {
		...READS,
		title: "Show a file",
		description: "Reads an indexed source file of the repository, whole or from startLine to endLine.",
		inputSchema: makeInputSchema(
			{
				repoPath: REPO_PATH,
				path: { ...TEXT, description: "Path inside the repository" },
				startLine: { type: "integer", minimum: 1 },
				endLine: { type: "integer", minimum: 1 },
			},
			["path"],
		),
		result: { repo: TEXT, file: RECORD },
		inside: { file: FILE_TEXT },
		timeoutMs: SHORT_MS,
	},
	workspace_status: {
		...READS,
		title: "Repositories of the workspace",
		description: "Every repository that may be reached here, and the state of its index.",
		inputSchema: makeInputSchema({}),
		result: { repositories: { type: "array" } },
		timeoutMs: SHORT_MS,
	},
} as const satisfies Record<string, Tool>;
