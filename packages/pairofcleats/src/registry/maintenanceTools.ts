import type { Effect } from "libmcp";
import { DECISION_STATUSES, TRIAGE_SOURCES } from "../contract/triageTerms.ts";
import { COUNT, FLAG, makeInputSchema, RECORD, REPO_PATH, TEXT } from "./schemas.ts";
import { LONG_MS, MIDDLE_MS, REPEATABLE, SHORT_MS, type Tool } from "./tool.ts";

const ONCE: Effect = { recovery: { kind: "at_most_once" } };
/** Repeatable, because a file is fetched under a temporary name and moved into place once verified. */
const FETCHES = { effect: REPEATABLE, readOnly: false, destructive: false, timeoutMs: LONG_MS } as const;
const DRY_RUN = { ...FLAG, description: "Only say what would be done" } as const;
const PLATFORM = { provider: TEXT, dir: TEXT, platform: TEXT, arch: TEXT } as const;
/** A source of the caller's own, as `name=url#sha256=<hex>`. */
const OWN_SOURCE = { allowUnverified: { ...FLAG, description: "Accept a url without a digest" } } as const;
const REFRESH = {
	update: { ...FLAG, description: "Ask the source whether it changed" },
	force: { ...FLAG, description: "Fetch even what is there" },
} as const;

/** The tools that fetch, verify, clean up and triage. */
export const MAINTENANCE_TOOLS = {
	download_models: {
		...FETCHES,
		title: "Fetch embedding models",
		description: "Fetches and verifies the embedding model.",
		inputSchema: makeInputSchema({ model: TEXT, cacheDir: TEXT, url: TEXT, ...OWN_SOURCE, ...REFRESH }),
		result: { downloads: { type: "array" } },
	},
	download_dictionaries: {
		...FETCHES,
		title: "Fetch dictionaries",
		description: "Fetches and verifies word lists.",
		inputSchema: makeInputSchema({
			lang: TEXT,
			dir: TEXT,
			url: { type: ["string", "array"], items: TEXT },
			...OWN_SOURCE,
			...REFRESH,
		}),
		result: { downloads: { type: "array" } },
	},
	download_extensions: {
		...FETCHES,
		title: "Fetch extensions",
		description: "Fetches and verifies SQLite extensions, from archives too.",
		inputSchema: makeInputSchema({ ...PLATFORM, url: TEXT, out: TEXT, ...OWN_SOURCE, ...REFRESH }),
		result: { downloads: { type: "array" } },
	},
	verify_extensions: {
		title: "Verify extensions",
		description: "Whether each extension is installed and loads. One that is not installed is data, not an error.",
		inputSchema: makeInputSchema({
			dir: TEXT,
			path: TEXT,
			load: { ...FLAG, description: "Try to load it (default: true)" },
		}),
		result: { extensions: { type: "array" } },
		effect: REPEATABLE,
		readOnly: true,
		destructive: false,
		timeoutMs: SHORT_MS,
	},
	compact_sqlite_index: {
		title: "Compact the SQLite index",
		description: "Gives back the space of deleted rows. No search answer changes.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			dryRun: DRY_RUN,
			keepBackup: { ...FLAG, description: "Keep the old file beside the new one" },
		}),
		result: { repo: TEXT, before: COUNT, after: COUNT },
		effect: REPEATABLE,
		readOnly: false,
		destructive: false,
		timeoutMs: LONG_MS,
	},
	cache_gc: {
		title: "Collect garbage in the cache",
		description: "Removes cache entries past the limits given, never an index in use.",
		inputSchema: makeInputSchema({
			dryRun: DRY_RUN,
			maxBytes: COUNT,
			maxGb: { type: "number", minimum: 0 },
			maxAgeDays: { type: "number", minimum: 0 },
		}),
		result: { removals: { type: "array" }, freedBytes: COUNT },
		effect: REPEATABLE,
		readOnly: false,
		destructive: true,
		timeoutMs: SHORT_MS,
	},
	clean_artifacts: {
		title: "Remove built artifacts",
		description: "Removes the repository's built artifacts, and nothing outside the cache.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			all: { ...FLAG, description: "Of every repository in the cache" },
			dryRun: DRY_RUN,
		}),
		result: { repo: TEXT, removals: { type: "array" }, freedBytes: COUNT },
		effect: REPEATABLE,
		readOnly: false,
		destructive: true,
		timeoutMs: SHORT_MS,
	},
	bootstrap: {
		title: "Make a repository searchable",
		description: "Takes a fresh repository to a searchable state and tells how each step went.",
		inputSchema: makeInputSchema({
			repoPath: REPO_PATH,
			skipModels: FLAG,
			skipDicts: FLAG,
			skipIndex: FLAG,
			incremental: FLAG,
		}),
		result: { repo: TEXT, steps: { type: "array" } },
		effect: REPEATABLE,
		readOnly: false,
		destructive: false,
		timeoutMs: LONG_MS,
	},
	triage_ingest: {
		title: "Take in findings",
		description:
			"Stores the findings of a security scanner, such as a SARIF report, as records that mode records lists.",
		inputSchema: makeInputSchema(
			{
				repoPath: REPO_PATH,
				source: { enum: [...TRIAGE_SOURCES] },
				inputPath: { ...TEXT, description: "JSON or JSON Lines, inside the repository" },
				meta: RECORD,
				buildIndex: { ...FLAG, description: "Take the records into the index at once" },
			},
			["source", "inputPath"],
		),
		result: { repo: TEXT, written: COUNT, recordIds: { type: "array" } },
		// Record ids depend on content, so ingesting the same findings twice stores them once.
		effect: REPEATABLE,
		readOnly: false,
		destructive: false,
		timeoutMs: MIDDLE_MS,
	},
	triage_decision: {
		title: "Record a decision",
		description: "Records what was decided about a finding; decisions are never overwritten.",
		inputSchema: makeInputSchema(
			{
				repoPath: REPO_PATH,
				finding: { ...TEXT, description: "Record id of the finding" },
				status: { enum: [...DECISION_STATUSES] },
				justification: TEXT,
				reviewer: TEXT,
				expires: { ...TEXT, description: "Date until which the decision holds" },
				meta: RECORD,
				codes: { type: "array", items: TEXT },
				evidence: { type: "array", items: TEXT },
			},
			["finding", "status"],
		),
		result: { repo: TEXT, recordId: TEXT, finding: TEXT, status: TEXT },
		effect: ONCE,
		readOnly: false,
		destructive: false,
		timeoutMs: SHORT_MS,
	},
	triage_context_pack: {
		title: "Context of a finding",
		description: "A finding with its decisions and the code that bears on it.",
		inputSchema: makeInputSchema(
			{
				repoPath: REPO_PATH,
				recordId: TEXT,
				outPath: { ...TEXT, description: "Also write it there, inside the repository" },
			},
			["recordId"],
		),
		result: { repo: TEXT, finding: RECORD, history: { type: "array" }, evidence: { type: "array" } },
		effect: REPEATABLE,
		readOnly: false,
		destructive: false,
		timeoutMs: SHORT_MS,
	},
} as const satisfies Record<string, Tool>;
