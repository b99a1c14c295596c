import { Buffer } from "node:buffer";
import type { Fault } from "../fault/fault.ts";
import type { HealthState } from "../health/healthBoard.ts";
import type { Catalogue } from "../host/lists/catalogue.ts";
import type { Parts } from "../host/parts.ts";
import type { SessionState } from "../host/session/session.ts";
import type { QuarantineState } from "../host/supervision/quarantine.ts";
import type { Call } from "../host/worker/call.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";
import { TelemetryLedger, type TelemetryState } from "../telemetry/telemetryLedger.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";

/** A host's successor accepts exactly this version. */
export const HANDOFF_VERSION = 1;

type SavedCall = {
	readonly frame: string;
	readonly replays: number;
	readonly suspectedAlone: boolean;
	readonly inDoubt: boolean;
	readonly highestProgress: number | null;
	readonly acknowledged?: boolean;
	/** What is left of the limit on the whole call; absent or 0 without one. */
	readonly leftMs?: number;
};

/** Everything a host knows that its successor in the same process could not find out again. Bytes are in base64. */
export type HandoffState = {
	readonly version: typeof HANDOFF_VERSION;
	readonly unread: string;
	readonly session: SessionState;
	/** Calls in doubt first, then the queue in order. */
	readonly calls: readonly SavedCall[];
	/** Notifications that were queued among the calls. */
	readonly toWorker: readonly string[];
	/** The host's own answers that were queued behind others. */
	readonly toClient: readonly string[];
	readonly generation: number;
	readonly command: WorkerCommand;
	readonly catalogue: Catalogue | null;
	readonly telemetry: TelemetryState;
	readonly health: HealthState;
	/** What questions about lost tasks are answered with, by the tasks' ids. */
	readonly lostTasks?: readonly (readonly [id: string, fault: Fault])[];
} & QuarantineState;

export function captureState(parts: Parts, unread: Buffer): HandoffState {
	const { session, dispatch, supervisor, record, ledger, lists, lostTasks, quarantine } = parts;
	const { calls, toWorker, toClient } = dispatch.line();
	const inDoubt = ledger.calls().filter((call) => call.knowledge !== "not_dispatched");
	const fresh = calls.filter((call) => call.knowledge === "not_dispatched");
	const { generation, consecutiveFailures, restartCount, lastFault } = record.board.snapshot();
	return {
		version: HANDOFF_VERSION,
		unread: unread.toString("base64"),
		session: session.state(),
		calls: [...inDoubt.toSorted((a, b) => a.sequence - b.sequence), ...fresh].map(savedCall),
		toWorker: toWorker.map((frame) => frame.toString("base64")),
		toClient: toClient.map((frame) => frame.toString("base64")),
		generation: Math.max(generation, supervisor.generation),
		command: supervisor.command,
		catalogue: lists.catalogue ?? null,
		telemetry: record.counters.state(),
		health: { generation, consecutiveFailures, restartCount, lastFault },
		lostTasks: lostTasks.state(),
		...quarantine.state(),
	};
}

/** Restores the state; returns the client's unread bytes, which must be read first. */
export function adoptState(parts: Parts, state: HandoffState): Buffer {
	const { session, ledger, dispatch, supervisor, record, recovery, lists, lostTasks, quarantine, book } = parts;
	record.counters = TelemetryLedger.restore(state.telemetry);
	record.board.restoreState(state.health);
	session.adopt(state.session);
	lostTasks.adopt(state.lostTasks ?? []);
	quarantine.adopt(state);
	supervisor.generation = state.generation;
	supervisor.command = state.command;
	if (state.catalogue !== null) lists.learned(state.catalogue);
	const inDoubt: Call[] = [];
	for (const saved of state.calls) {
		const frame = Buffer.from(saved.frame, "base64");
		const envelope = scanEnvelope(frame);
		const call = envelope.kind === "request" ? ledger.admit(frame, envelope) : undefined;
		if (call === undefined) continue;
		if (saved.leftMs) ledger.watch(call, { ...book.deadlines(call), hardMs: saved.leftMs });
		call.replays = saved.replays;
		if (saved.suspectedAlone) call.blame = "alone";
		call.acknowledged = saved.acknowledged === true;
		call.highestProgress = saved.highestProgress ?? Number.NEGATIVE_INFINITY;
		if (!saved.inDoubt) {
			dispatch.submit(call);
			continue;
		}
		call.knowledge = "outcome_unknown";
		call.dispatched = true;
		inDoubt.push(call);
	}
	recovery.decideLost(inDoubt, { generation: state.generation, why: "the host replaced itself", rollout: "unrelated" });
	for (const frame of state.toWorker) dispatch.notify(Buffer.from(frame, "base64"));
	for (const frame of state.toClient) dispatch.answer(Buffer.from(frame, "base64"));
	return Buffer.from(state.unread, "base64");
}

function savedCall(call: Call): SavedCall {
	return {
		frame: call.frame.toString("base64"),
		replays: call.replays - call.forgiven,
		suspectedAlone: call.blame === "alone",
		inDoubt: call.knowledge === "outcome_unknown",
		highestProgress: Number.isFinite(call.highestProgress) ? call.highestProgress : null,
		acknowledged: call.acknowledged,
		leftMs: call.deadline?.hardLeftMs ?? 0,
	};
}
