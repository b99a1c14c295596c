import type { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { DeadlineLimits } from "../../admission/deadline.ts";
import type { Fault } from "../../fault/fault.ts";
import type { SpawnedWorker, WorkerCommand } from "../worker/spawnWorker.ts";
import type { ContractDeclarations } from "./contractFile.ts";

/** When a dead worker is restarted. Only a worker that dies without a single answer counts against the intensity. */
export type RestartPolicy = {
	/** Fruitless deaths allowed within the period before the breaker opens. */
	readonly intensity: number;
	readonly periodMs: number;
	/** The first restart is immediate; the second waits this long, and each further one twice as long. */
	readonly backoffMs: number;
	readonly maxBackoffMs: number;
	/** How long calls fail at once after the breaker has opened; then one worker may try. */
	readonly coolDownMs: number;
	/** A worker that lives this long, or answers a call, closes the breaker. */
	readonly stableMs: number;
};

/** How a new release ("green") is tried beside the current one ("blue"). */
export type RolloutPolicy = {
	/** How long green may take to start, finish its handshake, list its tools and restore the session. */
	readonly warmUpMs: number;
	/** How long journaled calls in flight may delay the switch before the rollout is given up. */
	readonly switchMs: number;
	/** How long blue stays alive behind green. */
	readonly probationMs: number;
	/** Deaths of green within the probation that switch back to blue. */
	readonly crashLimit: number;
};

/** How much output other than messages a worker may print. */
export type GarbageLimits = {
	/** Limits per minute; a worker that exceeds one is replaced. */
	readonly lines: number;
	readonly bytes: number;
};

/** The client's streams; by default this process's stdin and stdout. */
export type ClientStreams = { readonly input: Readable; readonly output: Writable };

/** A client in this process: it passes whole messages to `Host.receive` and gets whole messages back. */
export type InProcessClient = { readonly deliver: (frame: Buffer) => void };

/** The options of `host`. Only the command is required; the defaults suit an unknown server. */
export type HostOptions = WorkerCommand & {
	/** Shown in status, logs and the control socket; by default derived from the command. */
	readonly name?: string;
	/** Contracts for a server that declares none: the path of a contract file, or its contents. */
	readonly contract?: string | ContractDeclarations;
	/** Limits for each call; past them it gets a timeout fault. By default 10 minutes in all, no inactivity limit. */
	readonly deadlines?: DeadlineLimits;
	readonly graceMs?: number;
	/** How many calls may wait for a worker; 512 by default. */
	readonly maxQueue?: number;
	/** How many calls the worker may have at once; 512 by default. */
	readonly maxInFlight?: number;
	readonly maxFrameBytes?: number;
	readonly restarts?: Partial<RestartPolicy>;
	readonly rollouts?: Partial<RolloutPolicy>;
	readonly garbage?: Partial<GarbageLimits>;
	/** Adds `holdfast_health` and `holdfast_telemetry` to the tool list; true by default. */
	readonly opsTools?: boolean;
	/** Runs one call at a time and answers in order of arrival. */
	readonly sequential?: boolean;
	/** The worker is our own program: its answers are passed on without being scanned. Implied by `privateWorker`. */
	readonly ownWorker?: boolean;
	/** The worker is our own program without a handshake; this table has the contract of every method. */
	readonly privateWorker?: PrivateWorker;
	/** For a server whose contract has a code of its own in `error.data.code`: the code for a fault of the host. */
	readonly errorCode?: (fault: Fault) => string;
	readonly client?: ClientStreams | InProcessClient;
	/** Directory for the JSONL telemetry; without it, none is written. */
	readonly telemetryDirectory?: string;
	/** Serves the control socket for `holdfast status`, `rollout` and `logs`. */
	readonly control?: boolean;
	/** For a process that is only a host: SIGTERM, SIGINT and SIGHUP end it, SIGUSR2 starts a rollout. */
	readonly signals?: boolean;
	/** Files whose change rolls out the same command again. */
	readonly watch?: readonly string[];
	/** The first worker's process, already being started, for the fastest possible start. */
	readonly firstWorker?: Promise<SpawnedWorker>;
	/** Takes secrets out of each line of a worker's stderr, before anything keeps, records or prints it. */
	readonly maskStderr?: (line: string) => string;
	/** Gets each line of a worker's stderr; by default it goes to this process's stderr, with a prefix. */
	readonly onWorkerStderr?: (line: string) => void;
	/** Gets each line of a worker's stdout that is no message; by default it goes to our stderr, with a prefix. */
	readonly onWorkerGarbage?: (line: Buffer) => void;
};

/** Replay contracts by method, and a default for all others: a private worker has no tool list to declare them in. */
export type PrivateWorker = {
	readonly methods: Readonly<Record<string, MethodRecovery>>;
	readonly otherMethods: MethodRecovery;
	/** Replay contracts of `tools/call` by tool, if the private worker has that method. */
	readonly tools?: Readonly<Record<string, MethodRecovery>>;
	/** It takes its calls one at a time, in their order: the limit of each runs from the end of the one before. */
	readonly inOrder?: boolean;
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
