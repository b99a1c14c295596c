import { fileURLToPath } from "node:url";

/** How the fixture worker behaves; passed as JSON in its one argument. */
export type FixtureConfig = {
	/** The effect log, appended to by every worker of a test; see `EffectLog`. */
	readonly effects: string;
	/** Its release, shown by `whoami` and in `serverInfo`. */
	readonly release?: string;
	readonly startup?: FixtureStartup;
	/** While this file exists, the worker exits at once with code 1. */
	readonly brokenWhile?: string;
	/** The worker exits by itself after this time. */
	readonly exitAfterMs?: number;
	/** Further tools, listed on a second page. */
	readonly moreTools?: readonly string[];
	/** Leaves the replay declarations out of the tool list. */
	readonly undeclared?: boolean;
	/** Starts a child that ignores SIGTERM and one that leaves the process group. */
	readonly children?: boolean;
	/** Refuses `bind`, so that a session with bindings cannot be restored. */
	readonly refuseBind?: boolean;
};

export type FixtureStartup =
	| { readonly kind: "slow"; readonly ms: number }
	/** Never answers its handshake. */
	| { readonly kind: "silent" }
	| { readonly kind: "exit"; readonly code: number }
	/** Answers its handshake with a line that is not JSON. */
	| { readonly kind: "garbage" }
	| { readonly kind: "wrong_version" }
	| { readonly kind: "no_tools" }
	/** Sends the client a request during its handshake. */
	| { readonly kind: "asks_client" };

/** What a call's arguments may ask of the fixture. `key` names the call's effect. */
export type FixtureArguments = {
	readonly key: string;
	/** Waits this long before it answers. */
	readonly ms?: number;
	/** Adds this many bytes to the answer. */
	readonly bytes?: number;
	/** Reports progress at this interval while it waits. */
	readonly progressMs?: number;
	readonly fail?: FixtureFailure;
	/** Fails only while fewer attempts than this were made with the key, counting all workers. */
	readonly times?: number;
};

/**
 * How a call goes wrong. The process ends `before` or `after` the effect, in the `middle` of the answer, after writing
 * text that is not protocol (`spew`), out of memory (`oom`) or with exit code 0 (`exit`). `hang` stops reading and
 * answering, `mute` never answers this one call, `huge` answers with more than any frame may hold.
 */
export const FIXTURE_FAILURES = ["before", "after", "middle", "hang", "mute", "spew", "oom", "exit", "huge"] as const;
export type FixtureFailure = (typeof FIXTURE_FAILURES)[number];

/** How a host starts the fixture worker. */
export type FixtureCommand = { readonly command: string; readonly args: readonly string[] };

/** The command line of the fixture worker, with Node options if given. */
export function fixtureCommand(config: FixtureConfig, nodeOptions: readonly string[] = []): FixtureCommand {
	// In the published package this is JavaScript; in a checkout it runs by type stripping.
	const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
	const worker = fileURLToPath(new URL(`fixtureWorker.${extension}`, import.meta.url));
	const quiet = extension === "ts" ? ["--disable-warning=ExperimentalWarning"] : [];
	return { command: process.execPath, args: [...quiet, ...nodeOptions, worker, JSON.stringify(config)] };
}

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
