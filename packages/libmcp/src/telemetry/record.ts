import type { Fault } from "../fault/fault.ts";
import type { RolloutStep } from "./healthBoard.ts";

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

/** How a call ended. An error without a code is a tool's own `isError` result; `fault` if a server behind sent it. */
export type CallOutcome =
	| { readonly kind: "ok" }
	| { readonly kind: "error"; readonly code: number | undefined; readonly fault?: Fault }
	| { readonly kind: "cancelled" }
	| { readonly kind: "fault"; readonly fault: Fault };

/** The last thing that went wrong in a method, as data; never contains a message of the server's. */
export type MethodError =
	| { readonly kind: "fault"; readonly at: number; readonly fault: Fault }
	| { readonly kind: "response"; readonly at: number; readonly code: number; readonly fault?: Fault }
	| { readonly kind: "tool"; readonly at: number };

/** Undefined for an outcome that is not a failure. */
export function readMethodError(outcome: CallOutcome, at: number): MethodError | undefined {
	switch (outcome.kind) {
		case "fault":
			return { kind: "fault", at, fault: outcome.fault };
		case "error":
			if (outcome.code === undefined) return { kind: "tool", at };
			return { kind: "response", at, code: outcome.code, ...(outcome.fault && { fault: outcome.fault }) };
		case "ok":
		case "cancelled":
			return undefined;
	}
}

const MAX_TEXT = 400;

/** Shortens a name or detail whose length a peer controls, so that it fits a log line and may be kept for long. */
export function clipText(text: string): string {
	return isLong(text) ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}

export function isLong(text: string): boolean {
	return text.length > MAX_TEXT;
}
