import type { Buffer } from "node:buffer";
import type { EventEmitter } from "node:events";
import type { HostHealth } from "../host/report/hostHealth.ts";
import type { HostEvents, HostRecord } from "../host/state/hostRecord.ts";
import type { BreakerState } from "../host/state/restartBudget.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";
import type { ReinstallOutcome } from "../rollout/reinstall.ts";
import type { RolloutOutcome } from "../rollout/rollout.ts";
import type { TelemetrySnapshot } from "../telemetry/telemetryLedger.ts";
import type { Envelope } from "../wire/envelope.ts";

/** A client session that outlives its workers, with its health, events and controls. */
export type Host = {
	readonly name: string;
	/** Resolves when the session is over and nothing of its workers is left. */
	readonly closed: Promise<void>;
	/** `on("fault" | "ready" | "restart" | …)`. */
	readonly events: EventEmitter<HostEvents> & Pick<HostRecord, "addSink" | "answeredElsewhere">;
	state(): HostState;
	health(): HostHealth;
	telemetry(): TelemetrySnapshot;
	/** Takes a message from a client in this process, with the envelope that the client has already read. */
	receive(frame: Buffer, envelope: Envelope): void;
	/** Switches to a new release, or restarts the same command, without dropping calls in flight. */
	rollout(command?: WorkerCommand): Promise<RolloutOutcome>;
	/** Prepares the program on disk to take over this process; `commit` then does it. Only for stdio hosts on POSIX. */
	reinstall(): Promise<ReinstallOutcome>;
	/** Ends the worker in use; the next one takes over its calls as their contracts allow. If none is, starts one now. */
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
