import { basename } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import type { DownloadTool } from "../assets/downloads.ts";
import { at, listAt } from "../server/serving.ts";
import type { Stop } from "../triage/gate.ts";

/** What the cases need from the session they run in. */
export type Scene = {
	/** `name=url#sha256=…` of a file that the tool can download. */
	source(tool: DownloadTool): string;
	readonly finding: string;
	/** Adds an index to the cache that belongs to no repository of the session. */
	strayIndex(): Promise<void>;
	/** Builds the session's own index if there is none. */
	ownIndex(): Promise<void>;
	/** Removes what an earlier call left at this path. */
	forget(place: string): void;
};

/** A tool call, and where its worker is killed. */
export type KillCase = {
	readonly tool: string;
	readonly args?: (scene: Scene) => Record<string, unknown>;
	readonly before?: (scene: Scene) => Promise<void> | void;
	readonly stops: readonly Stop[];
	/** The parts of a result that must be the same as in an undisturbed call. */
	readonly shows: (result: unknown) => unknown;
};

const before = (step: Stop["step"], onto: string): Stop => ({ step, onto, taken: false });
const beforeAndAfter = (step: Stop["step"], onto: string): Stop[] => [before(step, onto), { step, onto, taken: true }];
export const READS_INDEX: readonly Stop[] = [before("statSync", "/current")];
const MOVES_POINTER = beforeAndAfter("renameSync", "/current");
/** Tools that are aliases for building each stop on one side of the same step. */
const [BEFORE_POINTER, AFTER_POINTER] = [MOVES_POINTER.slice(0, 1), MOVES_POINTER.slice(1)];
const REMOVES = beforeAndAfter("renameSync", ".removed-");
const EXTENSION = basename(getLoadablePath());

const whole = (result: unknown): unknown => result;
/** The next build reuses what the killed one had finished, so only the sum is the same. */
const built = (result: unknown): unknown =>
	Number(at(result, "/build/files/indexed")) + Number(at(result, "/build/files/unchanged"));
const outcomes =
	(list: string, ...members: string[]) =>
	(result: unknown): unknown =>
		listAt(result, list).map((item) => members.map((member) => at(item, `/${member}`)));
const fetched = outcomes("/downloads", "file", "bytes", "sha256", "verified");

/** All tools, in an order in which they can be run. */
export const KILL_CASES: readonly KillCase[] = [
	{ tool: "build_index", stops: MOVES_POINTER, shows: built },
	{ tool: "index_build", stops: AFTER_POINTER, shows: built },
	{
		tool: "build_sqlite_index",
		stops: BEFORE_POINTER,
		shows: (result) => [built(result), at(result, "/sqlite/checked")],
	},
	{
		tool: "bootstrap",
		args: () => ({ skipModels: true, skipDicts: true, incremental: false }),
		stops: AFTER_POINTER,
		shows: outcomes("/steps", "step", "outcome"),
	},
	{
		tool: "compact_sqlite_index",
		stops: MOVES_POINTER,
		shows: (result) => [at(result, "/repo"), at(result, "/dryRun")],
	},
	{
		tool: "index_status",
		stops: READS_INDEX,
		shows: (result) =>
			["/repo", "/status/indexed", "/status/files", "/status/chunks", "/status/stale"].map((path) => at(result, path)),
	},
	{ tool: "config_status", stops: READS_INDEX, shows: whole },
	{ tool: "check_status", stops: READS_INDEX, shows: whole },
	{ tool: "workspace_status", stops: READS_INDEX, shows: outcomes("/repositories", "repo", "default") },
	{
		tool: "report_artifacts",
		stops: [before("readdirSync", "/repos/")],
		shows: (result) => at(result, "/artifacts/id"),
	},
	{
		tool: "search",
		args: () => ({ query: "render template" }),
		stops: READS_INDEX,
		shows: outcomes("/search/hits", "path", "startLine", "score"),
	},
	{ tool: "show_file", args: () => ({ path: "src/render.js" }), stops: READS_INDEX, shows: whole },
	{
		tool: "triage_ingest",
		args: () => ({ source: "aws_inspector", inputPath: "inspector.json" }),
		stops: [1, 3].map((after) => ({ step: "renameSync", onto: "/finding-", taken: true, after })),
		shows: (result) => at(result, "/recordIds"),
	},
	{
		tool: "triage_decision",
		args: ({ finding }) => ({ finding, status: "accept" }),
		stops: beforeAndAfter("linkSync", "decision-"),
		shows: whole,
	},
	{
		tool: "triage_context_pack",
		args: ({ finding }) => ({ recordId: finding, outPath: "out/pack.json" }),
		before: ({ forget }) => forget("repo/out"),
		stops: beforeAndAfter("renameSync", "pack.json"),
		shows: whole,
	},
	{
		tool: "download_dictionaries",
		args: ({ source }) => ({ url: source("download_dictionaries") }),
		before: ({ forget }) => forget("cache/dictionaries"),
		stops: beforeAndAfter("renameSync", "dictionaries/thing.txt"),
		shows: fetched,
	},
	{
		tool: "download_models",
		args: ({ source }) => ({ url: source("download_models") }),
		before: ({ forget }) => forget("cache/models"),
		stops: beforeAndAfter("renameSync", "models/default"),
		shows: fetched,
	},
	{
		tool: "download_extensions",
		args: ({ source }) => ({ url: source("download_extensions"), out: EXTENSION }),
		before: ({ forget }) => forget("cache/extensions"),
		stops: beforeAndAfter("renameSync", `extensions/${EXTENSION}`),
		shows: fetched,
	},
	{ tool: "verify_extensions", stops: [before("existsSync", EXTENSION)], shows: whole },
	{
		tool: "cache_gc",
		args: () => ({ maxBytes: 0 }),
		before: ({ strayIndex }) => strayIndex(),
		stops: REMOVES,
		shows: outcomes("/removals", "id", "outcome"),
	},
	{
		tool: "clean_artifacts",
		before: ({ ownIndex }) => ownIndex(),
		stops: REMOVES,
		shows: outcomes("/removals", "id", "outcome"),
	},
];
