import type { Buffer } from "node:buffer";
import type { HostHealth } from "../host/hostHealth.ts";
import type { HostRecord } from "../host/hostRecord.ts";
import type { BreakerState } from "../host/restartBudget.ts";
import type { WorkerCommand } from "../host/spawnWorker.ts";
import type { ReinstallOutcome } from "../rollout/reinstall.ts";
import type { RolloutOutcome } from "../rollout/rolloutOutcome.ts";
import type { TelemetrySnapshot } from "../telemetry/telemetryLedger.ts";
import type { Envelope } from "../wire/envelope.ts";

/** A client session that outlives its workers, with its health, events and controls. */
export type Host = {
	readonly name: string;
	/** Resolves when the session is over and nothing of its workers is left. */
	readonly closed: Promise<void>;
	/** `on("fault" | "ready" | "restart" | …)`. */
	readonly events: HostRecord;
	state(): HostState;
	health(): HostHealth;
	telemetry(): TelemetrySnapshot;
	/** A message of a client in this process, with its envelope as the client read it. */
	receive(frame: Buffer, envelope: Envelope): void;
	/** Switches to a new release, or to the same command anew, under live calls. */
	rollout(command?: WorkerCommand): Promise<RolloutOutcome>;
	/** Prepares the program on disk to take over this very process; `commit` then does it. POSIX, stdio hosts only. */
	reinstall(): Promise<ReinstallOutcome>;
	/** Ends the worker in use; the next one takes over its calls as their contracts allow. */
	restart(): Promise<void>;
	/** Lets calls in flight finish for a moment, then ends everything. */
	close(): Promise<void>;
};

/** What the session is doing at this moment. */
export type HostState = {
	readonly name: string;
	readonly pid: number;
	readonly workerPid: number | undefined;
	readonly command: WorkerCommand;
	readonly generation: number;
	readonly ready: boolean;
	readonly breaker: BreakerState;
	readonly inFlight: number;
	readonly waiting: number;
};
