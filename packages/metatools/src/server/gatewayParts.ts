import type { Catalog } from "../catalog/catalog.ts";
import type { Cursors } from "../catalog/cursor.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import type { Config } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import type { CodeEngine } from "../contract/codeEngine.ts";
import type { BackendKind } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import type { WaitingTools } from "../quarantine/waitingTools.ts";
import type { Gate, Verdict, Viewer } from "../run/access.ts";
import type { BackendRunner, LocalTool } from "../run/backend.ts";
import type { ResultStore } from "../run/resultStore.ts";
import type { ToolRunner } from "../run/runner.ts";
import type { CatalogSearch } from "../search/catalogSearch.ts";
import type { SearchStrategy } from "../search/strategy.ts";
import type { Skill, SkillSurroundings } from "../toolsets/skill.ts";
import type { Toolset } from "../toolsets/toolset.ts";
import type { StoredLogin } from "../upstream/login/tokenStore.ts";
import type { OpenTransport } from "../upstream/transport.ts";
import type { UpstreamWatch } from "../upstream/upstream.ts";
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

/** Everything that can be replaced; each has a working default. */
export type GatewayOptions = {
	readonly config?: Config;
	readonly search?: SearchStrategy;
	/** Replaces the whole way a tool is run. */
	readonly runner?: ToolRunner;
	/** Adds or replaces the runner of one kind of backend. */
	readonly backends?: Partial<Record<BackendKind, BackendRunner>>;
	/** Who may find and run what, besides toolsets. */
	readonly gates?: readonly Gate[];
	/** The gate whose tools people can approve one by one. */
	readonly quarantine?: Quarantine;
	/** Wraps the runner of every run, for recording or limiting. */
	readonly aroundRuns?: (runner: ToolRunner) => ToolRunner;
	/** The program with which people approve tools and log in to servers; `metatools` unless given. */
	readonly command?: string;
	/** Observes the servers' state. */
	readonly watch?: UpstreamWatch;
	readonly localTools?: readonly LocalTool[];
	/** Without one there is no execute_code. */
	readonly codeEngine?: CodeEngine;
	/** Types for code that calls a tool, shown by describe_tool. */
	readonly declare?: (tool: CatalogTool) => string;
	readonly openTransport?: OpenTransport;
	/** What a login has stored for a server, if its transport uses that. */
	readonly storedLogin?: StoredLogin;
	readonly log?: (line: string) => void;
	/** Signs cursors; share it between instances that answer for one another. */
	readonly cursorKey?: Buffer;
};
