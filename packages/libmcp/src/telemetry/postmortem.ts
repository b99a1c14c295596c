import type { Fault } from "../fault/fault.ts";
import type { CallOutcome } from "./callOutcome.ts";
import { clip } from "./clip.ts";
import { TELEMETRY_EVENTS, type TelemetryRecord } from "./record.ts";
import { TelemetryLedger, type TelemetrySnapshot } from "./telemetryLedger.ts";

export type Postmortem = {
	/** As the live ledger would have shown it, from the records alone. */
	readonly telemetry: TelemetrySnapshot;
	/** Each restart with the fault that led to it, in order. */
	readonly restarts: readonly { readonly at: number; readonly generation: number; readonly cause: Fault }[];
	/** Lines that are no record: what a lost machine left, or somebody else's writing. */
	readonly badLines: number;
};

/** Recomputes what happened from the lines of one or more telemetry files, oldest first. */
export function postmortem(lines: Iterable<string>): Postmortem {
	let clock = 0;
	const ledger = new TelemetryLedger(() => clock);
	const restarts: { at: number; generation: number; cause: Fault }[] = [];
	let badLines = 0;
	for (const line of lines) {
		if (line === "") continue;
		const record = parseRecord(line);
		if (record === undefined) {
			badLines++;
			continue;
		}
		switch (record.event) {
			case "call": {
				clock = 0;
				const call = ledger.began(callLabel(record));
				clock = record.latencyMs;
				ledger.ended(call, outcomeOf(record));
				break;
			}
			case "replay":
				ledger.retried(callLabel(record));
				break;
			case "restart":
				ledger.restarted(record.cause);
				restarts.push({ at: record.at, generation: record.generation, cause: record.cause });
				break;
			case "fault":
				ledger.faulted(record.fault);
				break;
			case "rollout_step":
			case "log_opened":
				break;
		}
	}
	return { telemetry: ledger.snapshot(), restarts, badLines };
}

/** The name a call is counted under: a tool's calls apart from the other tools'. */
export function callLabel(call: { readonly method: string; readonly tool?: string }): string {
	return clip(call.tool === undefined ? call.method : `${call.method} ${call.tool}`);
}

function outcomeOf(record: Extract<TelemetryRecord, { event: "call" }>): CallOutcome {
	if (record.outcome === "fault" && record.fault !== undefined) return { kind: "fault", fault: record.fault };
	if (record.outcome === "error" || record.outcome === "fault") return { kind: "error", code: record.code };
	return { kind: record.outcome };
}

/** Undefined for what is no record, such as the half line of a full disk. */
export function parseRecord(line: string): TelemetryRecord | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isRecord(value: unknown): value is TelemetryRecord {
	if (typeof value !== "object" || value === null || !("event" in value) || !("at" in value)) return false;
	return typeof value.at === "number" && TELEMETRY_EVENTS.some((event) => event === value.event);
}
