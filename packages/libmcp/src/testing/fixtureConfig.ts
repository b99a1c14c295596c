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
