// The parts of the API's answers that the page reads.

export type Fault = { readonly class: string; readonly code: string; readonly detail: string };

export type Server = {
	readonly name: string;
	readonly namespace: string;
	readonly description?: string;
	readonly kind: string;
	readonly state: "connecting" | "ready" | "failed" | "needs_auth" | "stopped";
	readonly lifecycle?: string;
	readonly since: string;
	readonly reason?: string;
	readonly retryAt?: string;
	readonly generation: number;
	readonly restarts: number;
	readonly inFlight: number;
	readonly waiting: number;
	readonly tools: number;
	readonly pid?: number;
	readonly rollout?: string;
	readonly lastFault: Fault | null;
	readonly problems: readonly string[];
};

export type ContextUse = Readonly<Record<"shown" | "behind", { readonly tools: number; readonly tokens: number }>>;

export type Totals = {
	readonly calls: number;
	readonly errors: number;
	readonly p50: number | null;
	readonly p99: number | null;
};

export type Traffic = {
	readonly of: string;
	readonly series: {
		readonly time: readonly number[];
		readonly callsPerSecond: readonly number[];
		readonly errorRate: readonly (number | null)[];
		readonly p50: readonly (number | null)[];
		readonly p99: readonly (number | null)[];
	};
	readonly totals: Readonly<Record<string, Totals>>;
};

export const KINDS = ["fault", "restart", "replay", "rollout", "quarantine", "connection", "call"] as const;

export type Entry = {
	readonly id: number;
	readonly at: number;
	readonly kind: string;
	readonly server: string;
	readonly level: "info" | "good" | "warn" | "bad";
	readonly summary: string;
	readonly record: Readonly<Record<string, unknown>>;
};

export type Call = {
	readonly id: number;
	readonly toolId: string;
	readonly server: string;
	readonly at: number;
	readonly outcome: "running" | "ok" | "error" | "cancelled";
	readonly durationMs?: number;
	readonly args?: unknown;
	readonly result?: unknown;
	readonly error?: { readonly code?: string; readonly message?: string };
};

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

export type ToolDetails = {
	readonly tool: Tool;
	readonly definition: { readonly inputSchema?: Schema; readonly outputSchema?: unknown };
	readonly examples?: readonly { readonly title: string; readonly args: Readonly<Record<string, unknown>> }[];
	readonly notes?: string;
	readonly declaration: string;
};

export type Schema = {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly description?: string;
	readonly default?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly not?: boolean | Schema;
	readonly $ref?: string;
	readonly additionalProperties?: boolean | Schema;
	readonly patternProperties?: Readonly<Record<string, Schema>>;
	readonly minimum?: number;
	readonly maximum?: number;
};

export type Hit = {
	readonly path: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly language: string;
	readonly kind: string;
	readonly qualifiedName: string;
	/** Set if the hit is one part of a long declaration. */
	readonly part?: { readonly index: number; readonly of: number };
	readonly score: number;
	readonly scoreParts?: Readonly<Record<string, number>>;
	readonly snippet: {
		readonly startLine: number;
		readonly lines: readonly string[];
		readonly matched: readonly number[];
	};
};

export type IndexJob = {
	readonly state: "running" | "done" | "failed";
	readonly progress?: number;
	readonly total?: number;
	readonly message?: string;
	readonly error?: { readonly message?: string };
};

export type Held = {
	readonly id: string;
	readonly namespace: string;
	readonly fingerprint: string;
	readonly changed: readonly string[];
	readonly approved?: unknown;
	readonly now: unknown;
};
