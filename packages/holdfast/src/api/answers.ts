// Types only: the page is bundled for browsers and imports them too.
import type { Fault, HealthSnapshot } from "libmcp";
import type { FleetMember } from "libmcp/http";
import type {
	ChainResult,
	CodeResult,
	JsonObject,
	Quarantined,
	ToolDefinition,
	ToolExample,
	UpstreamSpec,
	UpstreamState,
} from "metatools";
import type { FileText, IndexStatus, SearchPayload } from "pairofcleats";
import type { CallEntry } from "../record/calls.ts";
import type { TimelineEntry, TimelinePage } from "../record/timeline.ts";
import type { TrafficSeries, TrafficTotals } from "../record/traffic.ts";

/** What each endpoint answers, by its id: the handlers must return it, and the page reads nothing else. */
export type Answers = {
	readonly listServers: {
		readonly servers: readonly Server[];
		readonly context: ContextUse;
		/** Why a changed configuration is not used. */
		readonly configProblem?: string;
		readonly version: string;
		readonly uptimeMs: number;
	};
	readonly getFleet: { readonly id?: string; readonly nodes: readonly FleetMember[] };
	readonly restartServer: Done;
	readonly rollOutServer: { readonly generation: number; readonly changed: readonly string[] };
	readonly getServer: { readonly server: Server; readonly health: JsonObject; readonly telemetry: JsonObject };
	readonly getTraffic: {
		readonly of: string;
		readonly series: TrafficSeries;
		readonly totals: Readonly<Record<string, TrafficTotals>>;
	};
	readonly listTimeline: TimelinePage;
	readonly getTimelineEntry: { readonly entry: TimelineEntry };
	readonly listCalls: { readonly calls: readonly CallSummary[] };
	readonly getCall: { readonly call: CallEntry };
	readonly listTools: { readonly tools: readonly Tool[]; readonly total: number; readonly strategy: string };
	readonly describeTool: {
		readonly tool: Tool;
		readonly definition: ToolDefinition;
		readonly examples: readonly ToolExample[];
		readonly notes?: string;
		readonly declaration: string;
	};
	readonly runTool: {
		readonly structured: unknown;
		readonly content?: readonly JsonObject[];
		readonly durationMs: number;
	};
	readonly runChain: Omit<ChainResult, "results"> & {
		readonly results: readonly Omit<ChainResult["results"][number], "tool">[];
	};
	readonly executeCode: CodeResult;
	readonly codeTypes: {
		readonly declarations: string;
		readonly declared: number;
		readonly total: number;
		readonly namespaces: readonly string[];
	};
	readonly listApprovals: {
		readonly waiting: readonly Waiting[];
		readonly total: number;
		/** The command that approves every tool of the first one's server. */
		readonly approveAll?: string;
	};
	readonly approveTool: Done;
	readonly searchCode: SearchPayload;
	readonly showFile: { readonly file: FileText };
	readonly getIndex: { readonly status: IndexStatus; readonly job?: IndexJobState };
	readonly rebuildIndex: { readonly job: IndexJobState };
};

/** The data of each event of the stream. */
export type EventData = {
	readonly hello: { readonly version: string; readonly startedAt: number };
	readonly servers: Readonly<Record<string, never>>;
	readonly tools: Readonly<Record<string, never>>;
	readonly entry: TimelineEntry;
	readonly call: CallSummary;
	readonly index: IndexJobState;
};

type Done = { readonly ok: true };

/** A server behind the gateway. */
export type Server = {
	readonly name: string;
	readonly namespace: string;
	readonly description?: string;
	readonly kind: UpstreamSpec["kind"];
	readonly state: UpstreamState["kind"];
	readonly lifecycle: HealthSnapshot["state"];
	readonly since: string;
	readonly reason?: string;
	/** The command that logs in to a server that needs it. */
	readonly login?: string;
	readonly retryAt?: string;
	readonly generation: number;
	readonly restarts: number;
	readonly inFlight: number;
	readonly waiting: number;
	readonly tools: number;
	readonly pid?: number;
	readonly rollout: HealthSnapshot["rollout"];
	readonly lastFault: Fault | null;
	readonly problems: readonly string[];
};

/** The tools that clients see, and those they would see if they connected to every server directly. */
export type ContextUse = { readonly shown: ContextShare; readonly behind: ContextShare };

/** A count of tools and an estimate of the tokens that their definitions take in a model's context. */
export type ContextShare = { readonly tools: number; readonly tokens: number };

export type CallSummary = Omit<CallEntry, "args" | "result">;

export type Tool = {
	readonly id: string;
	readonly name: string;
	/** The server's own name for the tool, if the gateway had to change it. */
	readonly declaredName?: string;
	readonly namespace: string;
	/** The server's configured name, if it cannot be a namespace. */
	readonly server?: string;
	readonly title?: string;
	readonly description: string;
	readonly quarantined: boolean;
	readonly destructive?: boolean;
};

/** A tool that waits for approval. */
export type Waiting = Omit<Quarantined, "tool"> &
	Pick<Tool, "id" | "namespace" | "declaredName" | "server"> & { readonly fingerprint: string };

/** A rebuild of the index. */
export type IndexJobState = {
	readonly state: "running" | "done" | "failed";
	readonly progress?: number;
	readonly total?: number;
	readonly message?: string;
	readonly error?: { readonly code: string; readonly message: string };
};
