/** What the fixture worker is told to be, as the JSON text of its one argument. */
export type FixtureConfig = {
	/** The effect log, appended to by every worker of a test; see `EffectLog`. */
	readonly effects: string;
	/** Its release, shown by `whoami` and in `serverInfo`. */
	readonly release?: string;
	readonly startup?: FixtureStartup;
	/** While this file exists the worker exits with code 1 at once. */
	readonly brokenWhile?: string;
	/** Ends by itself this long after its start. */
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
	/** Answers its handshake with something that is no JSON. */
	| { readonly kind: "garbage" }
	| { readonly kind: "wrong_version" }
	| { readonly kind: "no_tools" }
	/** Sends the client a request during its handshake. */
	| { readonly kind: "asks_client" };

/** What a call's arguments may ask of the fixture, beside `key`, which names its effect. */
export type FixtureArguments = {
	readonly key: string;
	/** Waits before it answers. */
	readonly ms?: number;
	/** Adds this many bytes to the answer. */
	readonly bytes?: number;
	/** Reports progress at this interval while it waits. */
	readonly progressMs?: number;
	readonly fail?: FixtureFailure;
	/** Fails only while fewer attempts than this were made on the key, over all workers. */
	readonly times?: number;
};

/**
 * Where a call goes wrong: the process is gone `before` or `after` the effect, in the `middle` of the answer, after
 * writing what is no protocol (`spew`), by memory (`oom`) or with exit code 0 (`exit`); `hang` stops reading and
 * answering, `mute` leaves this one call without an answer, `huge` answers with more than any frame may hold.
 */
export const FIXTURE_FAILURES = ["before", "after", "middle", "hang", "mute", "spew", "oom", "exit", "huge"] as const;
export type FixtureFailure = (typeof FIXTURE_FAILURES)[number];
