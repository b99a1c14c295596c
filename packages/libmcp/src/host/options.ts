import type { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { DeadlineLimits } from "../admission/deadline.ts";
import type { ContractDeclarations } from "./contractFile.ts";
import type { SpawnedWorker, WorkerCommand } from "./spawnWorker.ts";

/** When a dead worker is restarted. Only deaths without a single answer count against the intensity. */
export type RestartPolicy = {
	/** Fruitless deaths allowed within the period before the breaker opens. */
	readonly intensity: number;
	readonly periodMs: number;
	/** The first restart is at once; the next waits this long, then twice as long each time. */
	readonly backoffMs: number;
	readonly maxBackoffMs: number;
	/** How long an open breaker fails calls at once before it lets one worker try. */
	readonly coolDownMs: number;
	/** A worker that lives this long, or answers a call, closes the breaker. */
	readonly stableMs: number;
};

/** How a new release is tried beside the one in use: green beside blue. */
export type RolloutPolicy = {
	/** How long green may take to start, shake hands, list and restore. */
	readonly warmUpMs: number;
	/** How long journaled calls in flight may delay the switch before the rollout is given up. */
	readonly switchMs: number;
	/** How long blue stays alive behind green. */
	readonly probationMs: number;
	/** Deaths of green within the probation that switch back to blue. */
	readonly crashLimit: number;
};

/** How much a worker may print that is no message. */
export type GarbageLimits = {
	/** Limits per minute on worker output that is not protocol; past them the worker is replaced. */
	readonly lines: number;
	readonly bytes: number;
};

/** The streams the client speaks on; this process's own stdin and stdout unless given. */
export type ClientStreams = { readonly input: Readable; readonly output: Writable };

/** A client in this process: it passes whole messages to `Host.receive` and gets whole messages back. */
export type InProcessClient = { readonly deliver: (frame: Buffer) => void };

/** Only the command is required; the defaults suit an unknown server. */
export type HostOptions = WorkerCommand & {
	/** Shown in status, logs and the control socket; taken from the command unless given. */
	readonly name?: string;
	/** Contracts for a server that declares none: a file, or what such a file holds. */
	readonly contract?: string | ContractDeclarations;
	/** A call over its limit gets a timeout fault. 10 minutes in all and no inactivity limit unless given. */
	readonly deadlines?: DeadlineLimits;
	readonly graceMs?: number;
	/** Calls that may wait for a worker; 512. */
	readonly maxQueue?: number;
	/** Calls at the worker at once; 512. */
	readonly maxInFlight?: number;
	readonly maxFrameBytes?: number;
	readonly restarts?: Partial<RestartPolicy>;
	readonly rollouts?: Partial<RolloutPolicy>;
	readonly garbage?: Partial<GarbageLimits>;
	/** Adds `holdfast_health` and `holdfast_telemetry` to the tool list; on unless false. */
	readonly opsTools?: boolean;
	/** One call at a time, answers in arrival order. */
	readonly sequential?: boolean;
	/** The worker is our own program: its answers are passed on without being scanned. Implied by `privateWorker`. */
	readonly ownWorker?: boolean;
	/** The worker is our own program without a handshake; this table has the contract of every method. */
	readonly privateWorker?: PrivateWorker;
	readonly client?: ClientStreams | InProcessClient;
	/** Directory for the JSONL telemetry; none is written unless given. */
	readonly telemetryDirectory?: string;
	/** Serves the control socket for `holdfast status`, `rollout` and `logs`. */
	readonly control?: boolean;
	/** Ends the host on SIGTERM, SIGINT and SIGHUP, rolls out on SIGUSR2; for a process that is only a host. */
	readonly signals?: boolean;
	/** Files whose change rolls out the same command again. */
	readonly watch?: readonly string[];
	/** The first worker's process, already being started, for the fastest possible start. */
	readonly firstWorker?: Promise<SpawnedWorker>;
	/** Where a worker's stderr goes, line by line; this process's stderr, prefixed, unless given. */
	readonly onWorkerStderr?: (line: string) => void;
	/** Where each line of a worker's stdout goes that is no protocol message; this process's stderr, prefixed, unless given. */
	readonly onWorkerGarbage?: (line: Buffer) => void;
};

/** Replay contracts by method, and one for all others: a private worker has no tool list that declares them. */
export type PrivateWorker = {
	readonly methods: Readonly<Record<string, MethodRecovery>>;
	readonly otherMethods: MethodRecovery;
	/** Effects of `tools/call` by tool, when the private worker speaks that method. */
	readonly tools?: Readonly<Record<string, MethodRecovery>>;
};

/** Whether a call that was in flight when its worker died is sent again. */
export type MethodRecovery = "replay_safe" | "at_most_once";

export const DEFAULT_RESTARTS: RestartPolicy = {
	intensity: 5,
	periodMs: 30_000,
	backoffMs: 100,
	maxBackoffMs: 10_000,
	coolDownMs: 15_000,
	stableMs: 5_000,
};

export const DEFAULT_ROLLOUTS: RolloutPolicy = {
	warmUpMs: 15_000,
	switchMs: 30_000,
	probationMs: 30_000,
	crashLimit: 3,
};

export const DEFAULT_GARBAGE: GarbageLimits = { lines: 10_000, bytes: 64 * 1024 * 1024 };

export const DEFAULT_DEADLINES: DeadlineLimits = { hardMs: 600_000 };

export const DEFAULT_MAX_CALLS = 512;
