import type { Fault } from "../fault/fault.ts";
import type { RolloutStep } from "../health/lifecycle.ts";
import type { CallOutcome } from "./callOutcome.ts";

/**
 * One event. The JSONL file, the OpenTelemetry bridge and any other listener get the same records. No record holds
 * arguments or results. `at` is Unix time in milliseconds; `generation` is the worker concerned.
 */
export type TelemetryRecord =
	| ({ readonly event: "call" } & CallRecord)
	| {
			readonly event: "restart";
			readonly at: number;
			readonly generation: number;
			readonly delayMs: number;
			readonly cause: Fault;
	  }
	| {
			readonly event: "fault";
			readonly at: number;
			readonly generation: number;
			readonly fault: Fault;
			/** The last stderr lines of a worker that ended. They are written only to the file. */
			readonly stderr?: readonly string[];
	  }
	| {
			readonly event: "replay";
			readonly at: number;
			readonly generation: number;
			readonly method: string;
			readonly tool?: string;
			readonly id: string;
			readonly attempt: number;
	  }
	| {
			readonly event: "rollout_step";
			readonly at: number;
			readonly generation: number;
			readonly step: RolloutStep;
			/** The generation that the rollout replaces. */
			readonly from: number;
			readonly fault?: Fault;
	  }
	/** First line of each file: who writes, and the earlier fault that this file alone would not show. */
	| {
			readonly event: "log_opened";
			readonly at: number;
			readonly generation: number;
			readonly name: string;
			readonly pid: number;
			readonly lastFault: Fault | null;
	  };

/** A record in a file; several processes may share one, and older releases did not write who wrote it. */
export type LoggedRecord = TelemetryRecord & { readonly pid?: number };

/** Every request that ended; `tool` is set for `tools/call`. */
export type CallRecord = {
	readonly at: number;
	readonly generation: number;
	readonly method: string;
	readonly tool?: string;
	/** The id as JSON text. */
	readonly id: string;
	readonly latencyMs: number;
	/** How often it was sent to a worker: 0 if never, more than 1 if it was replayed. */
	readonly attempts: number;
	readonly outcome: CallOutcome["kind"];
	/** The JSON-RPC code of an error response. */
	readonly code?: number;
	readonly fault?: Fault;
};

/** Receives the records in the order of events. `record` must not throw. */
export interface TelemetrySink {
	record(record: TelemetryRecord): void;
	close(): void;
}

/** The kinds of lines in the JSONL telemetry. */
export const TELEMETRY_EVENTS = ["call", "restart", "fault", "replay", "rollout_step", "log_opened"] as const;
