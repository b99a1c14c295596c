import type { Catalog } from "../catalog/catalog.ts";
import type { Cursors } from "../catalog/cursor.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import type { Settings } from "../config/settings.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import type { WaitingTools } from "../quarantine/waitingTools.ts";
import type { Gate, Verdict, Viewer } from "../run/access.ts";
import type { ResultStore } from "../run/resultStore.ts";
import type { ToolRunner } from "../run/runner.ts";
import type { CatalogSearch } from "../search/catalogSearch.ts";
import type { Skill, SkillSurroundings } from "../toolsets/skill.ts";
import type { Toolset } from "../toolsets/toolset.ts";
import type { Upstreams } from "../upstream/upstreams.ts";

/** What the gateway's own tools work with; each picks what it needs. */
export type GatewayParts = {
	readonly catalog: Catalog;
	readonly results: ResultStore;
	readonly search: CatalogSearch;
	readonly cursors: Cursors;
	readonly upstreams: Upstreams;
	readonly gates: readonly Gate[];
	readonly waiting: WaitingTools;
	readonly quarantine: Quarantine | undefined;
	readonly runner: ToolRunner;
	/** The runner for models, which can read linked resources only through read_result. */
	readonly modelRunner: ToolRunner;
	/** These change with the configuration. */
	readonly settings: Settings;
	readonly toolsets: readonly Toolset[];
	readonly skills: readonly Skill[];
	/** False if clients may have seen output schemas, which promise structured data. */
	readonly isTextOnly: boolean;
	/** How long a tool of this namespace may run, in milliseconds. */
	timeoutOf(namespace: string | undefined): number;
	verdict(tool: CatalogTool, viewer: Viewer): Verdict;
	/** Whether a caller may know of a namespace although it sees none of its tools; with an id, of this tool. */
	admits(namespace: string, viewer: Viewer, id?: string): boolean;
	/** Whether a caller may know of a namespace whatever tools it turns out to have. */
	covers(namespace: string, viewer: Viewer): boolean;
	/** Resolves an id to a tool; waits if the tool's server is still connecting. */
	findTool(id: string, viewer: Viewer, signal: AbortSignal): Promise<CatalogTool>;
	/** The namespaces whose tools nobody has seen yet. */
	arriving(viewer: Viewer): readonly string[];
	/** Those of servers that could not be connected. */
	missing(viewer: Viewer): readonly string[];
	surroundings(viewer: Viewer): SkillSurroundings;
	/** Types for code that calls a tool. */
	declare(tool: CatalogTool): string | undefined;
	/** The common payloads, for the gateway and for each server behind it. */
	health(viewer?: Viewer): JsonObject;
	telemetry(viewer?: Viewer): JsonObject;
};
