import type { Fault } from "../fault/fault.ts";
import { type CallOutcome, clipText, type LoggedRecord, TELEMETRY_EVENTS } from "./record.ts";
import { TelemetryLedger, type TelemetrySnapshot } from "./telemetryLedger.ts";

export type Postmortem = {
	/** What the live counters would have shown, computed from the records alone. */
	readonly telemetry: TelemetrySnapshot;
	/** Each restart with the fault that led to it, in order. */
	readonly restarts: readonly { readonly at: number; readonly generation: number; readonly cause: Fault }[];
	/** Lines that are not records: half lines after a power loss, or text that somebody else wrote. */
	readonly badLines: number;
};

/** Recomputes what happened from the lines of one or more telemetry files, oldest first. */
export function writePostmortem(lines: Iterable<string>): Postmortem {
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
				const call = ledger.began(labelCall(record));
				clock = record.latencyMs;
				ledger.ended(call, outcomeOf(record));
				break;
			}
			case "replay":
				ledger.retried(labelCall(record));
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

/** The name under which a call is counted; each tool is counted separately. */
export function labelCall(call: { readonly method: string; readonly tool?: string }): string {
	return clipText(call.tool === undefined ? call.method : `${call.method} ${call.tool}`);
}

function outcomeOf(record: Extract<LoggedRecord, { event: "call" }>): CallOutcome {
	if (record.outcome === "fault" && record.fault !== undefined) return { kind: "fault", fault: record.fault };
	if (record.outcome === "error" || record.outcome === "fault") return { kind: "error", code: record.code };
	return { kind: record.outcome };
}

/** Undefined for a line that is not a record, such as half a line from a full disk. */
export function parseRecord(line: string): LoggedRecord | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Checks the members that readers use: anybody may have written into the file. */
function isRecord(value: unknown): value is LoggedRecord {
	if (typeof value !== "object" || value === null) return false;
	const { event, at, generation, ...rest } = value as Readonly<Record<string, unknown>>;
	if (typeof at !== "number" || typeof generation !== "number") return false;
	if (rest.pid !== undefined && typeof rest.pid !== "number") return false;
	const known = TELEMETRY_EVENTS.find((known) => known === event);
	return known !== undefined && HAS_MEMBERS[known](rest);
}

type Members = Readonly<Record<string, unknown>>;

/** By event: whether a record has the members that readers use. */
const HAS_MEMBERS: Readonly<Record<(typeof TELEMETRY_EVENTS)[number], (record: Members) => boolean>> = {
	call: ({ method, latencyMs, attempts, outcome, fault }) =>
		typeof method === "string" &&
		typeof latencyMs === "number" &&
		typeof attempts === "number" &&
		typeof outcome === "string" &&
		(fault === undefined || isNamed(fault)),
	fault: ({ fault, stderr }) => isNamed(fault) && (stderr === undefined || isLines(stderr)),
	restart: ({ cause, delayMs }) => isNamed(cause) && typeof delayMs === "number",
	replay: ({ method, attempt }) => typeof method === "string" && typeof attempt === "number",
	rollout_step: ({ step }) => typeof step === "string",
	log_opened: ({ name, pid }) => typeof name === "string" && typeof pid === "number",
};

function isNamed(fault: unknown): boolean {
	if (typeof fault !== "object" || fault === null) return false;
	const { class: kind, code, detail } = fault as Readonly<Record<string, unknown>>;
	return [kind, code, detail].every((member) => typeof member === "string");
}

function isLines(value: unknown): boolean {
	return Array.isArray(value) && value.every((line) => typeof line === "string");
}
