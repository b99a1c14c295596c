/** The fixture's tools: one for each replay contract, and those that let a test look inside. */
export const FIXTURE_TOOLS = [
	tool("read", "Safe to run again.", { annotations: { readOnlyHint: true } }),
	tool("put", "Drops repeats of a key.", effect({ recovery: { kind: "deduplicated", key: "/key" } })),
	tool("pay", "Must never run twice.", effect({ recovery: { kind: "at_most_once" } })),
	tool(
		"job",
		"Safe to run again when job_status says it was not done.",
		effect({ recovery: { kind: "probe_required" } }),
	),
	tool("job_status", "Whether a job was done: done, absent or unknown.", { annotations: { readOnlyHint: true } }),
	tool(
		"bind",
		"Sets worker memory that must be set again in the next worker.",
		effect({ recovery: { kind: "replay_safe" }, journal: { key: "/key" } }),
	),
	tool("whoami", "The worker's pid, release, bindings, subscriptions and log level.", {
		annotations: { readOnlyHint: true },
	}),
	tool("ask", "Asks the client for its roots and answers with them.", { annotations: { readOnlyHint: true } }),
] as const;

/** A contract file for the fixture, as a user would write it for a server that declares nothing. */
export const FIXTURE_CONTRACT = {
	tools: {
		read: { recovery: "replay_safe" },
		put: { recovery: "deduplicated", key: "/key" },
		pay: { recovery: "at_most_once" },
		job: {
			recovery: "probe_required",
			probe: {
				tool: "job_status",
				arguments: { key: "/key" },
				answer: "/structuredContent/state",
				done: ["done"],
				safe: ["absent"],
				timeoutMs: 1_500,
			},
		},
		bind: { recovery: "replay_safe", journal: { key: "/key" } },
	},
} as const;

export type FixtureTool = {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: { readonly type: "object" };
	readonly annotations?: Readonly<Record<string, unknown>>;
	readonly _meta?: Readonly<Record<string, unknown>>;
};

export function tool(name: string, description: string, more: Partial<FixtureTool> = {}): FixtureTool {
	return { name, description, inputSchema: { type: "object" }, ...more };
}

function effect(declaration: unknown): Partial<FixtureTool> {
	return { _meta: { "io.libmcp/effect": declaration } };
}
