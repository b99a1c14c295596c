/** The tree to end: the leader that was spawned, and the mark that identifies processes which left its group. */
export type KillTarget = {
	readonly pid: number;
	readonly mark?: string;
	/** When the leader started, in the platform's own units: protects a reused pid that belongs to another process. */
	readonly startedAt?: number;
};

/** How long to wait for a process to end by itself. */
export type KillOptions = {
	/** Time between asking the tree to end and killing it; 2000 ms by default. */
	readonly graceMs?: number;
};

export const DEFAULT_GRACE_MS = 2_000;

export type EndedProcess = {
	readonly pid: number;
	readonly place: "leader" | "group" | "stray";
	readonly by: "SIGTERM" | "SIGKILL" | "taskkill";
};

export type KillFailureCode = "kill_denied" | "kill_survived" | "kill_unavailable";

/** A process that could not be ended, and why. */
export type KillFailure = {
	readonly code: KillFailureCode;
	readonly pid: number;
	readonly detail: string;
};

/** What happened to a tree. `failure` is set exactly when a process survived or could not be signalled. */
export type KillResult = {
	readonly pid: number;
	readonly outcome: "already_gone" | "terminated" | "killed" | "failed";
	readonly ended: readonly EndedProcess[];
	readonly survivors: readonly number[];
	readonly failure?: KillFailure;
};

export function graceOf(options: KillOptions): number {
	const grace = options.graceMs ?? DEFAULT_GRACE_MS;
	if (!Number.isFinite(grace) || grace < 0) {
		throw new RangeError(`graceMs: expected a number of milliseconds, zero or more, got ${String(grace)}`);
	}
	return grace;
}
