import type { Fault } from "../fault/fault.ts";
import type { RolloutStep } from "../health/lifecycle.ts";
import type { CallOutcome } from "./callOutcome.ts";

/**
 * What happened, one record each; the JSONL file, the OpenTelemetry bridge and any other listener get the same ones.
 * No record holds arguments or results. `at` is Unix time in milliseconds, `generation` the worker concerned.
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
	| { readonly event: "fault"; readonly at: number; readonly generation: number; readonly fault: Fault }
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
			/** The generation that serves while the step is taken. */
			readonly from: number;
			readonly fault?: Fault;
	  }
	/** First line of each file: who writes, and the fault a reader of this file alone would otherwise miss. */
	| {
			readonly event: "log_opened";
			readonly at: number;
			readonly generation: number;
			readonly name: string;
			readonly pid: number;
			readonly lastFault: Fault | null;
	  };

/** Every request that ended, `tools/call` or not; `tool` is there for the former. */
export type CallRecord = {
	readonly at: number;
	readonly generation: number;
	readonly method: string;
	readonly tool?: string;
	/** The id's JSON text. */
	readonly id: string;
	readonly latencyMs: number;
	/** How often it was sent to a worker: 0 when it never was, more than 1 when it was replayed. */
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
