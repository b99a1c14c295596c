/** Who is to be ended: the leader a spawn returned, and the mark by which its strays are known. */
export type KillTarget = {
	readonly pid: number;
	readonly mark?: string;
	/** When the leader started, in the platform's own units: a pid that now belongs to somebody else is left alone. */
	readonly startedAt?: number;
};

export type KillOptions = {
	/** How long the tree has between the request to end and the forced end; 2000 ms unless told. */
	readonly graceMs?: number;
};

export const DEFAULT_GRACE_MS = 2_000;

export type EndedProcess = {
	readonly pid: number;
	readonly place: "leader" | "group" | "stray";
	readonly by: "SIGTERM" | "SIGKILL" | "taskkill";
};

export type KillFailureCode = "kill_denied" | "kill_survived" | "kill_unavailable";

export type KillFailure = {
	readonly code: KillFailureCode;
	readonly pid: number;
	readonly detail: string;
};

/** What became of a tree. `failure` is there exactly when something outlived the attempt or refused it. */
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
