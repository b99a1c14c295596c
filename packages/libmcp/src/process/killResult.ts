/** The tree to end: its leader, and the mark that identifies processes outside the leader's group. */
export type KillTarget = {
	readonly pid: number;
	readonly mark?: string;
	/** When the leader started, in the platform's own units. If the pid was reused since, the new process is spared. */
	readonly startedAt?: number;
};

/** How long to wait before killing by force. */
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

/** What happened to a tree. `failure` is set only when a process survived or could not be signalled. */
export type KillResult = {
	readonly pid: number;
	readonly outcome: "already_gone" | "terminated" | "killed" | "failed";
	readonly ended: readonly EndedProcess[];
	readonly survivors: readonly number[];
	readonly failure?: KillFailure;
};

export function readGrace(options: KillOptions): number {
	const grace = options.graceMs ?? DEFAULT_GRACE_MS;
	if (!Number.isFinite(grace) || grace < 0) {
		throw new RangeError(`graceMs: expected a number of milliseconds, zero or more, got ${String(grace)}`);
	}
	return grace;
}
