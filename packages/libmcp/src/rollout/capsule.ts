import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRuntimeFolder } from "../command/folders.ts";
import { type Fault, FaultError } from "../fault/fault.ts";
import { type FaultCode, makeFault } from "../fault/faultTable.ts";
import type { Catalogue } from "../host/lists/catalogue.ts";
import type { Parts } from "../host/parts.ts";
import type { SessionState } from "../host/session/session.ts";
import type { QuarantineState } from "../host/state/quarantine.ts";
import type { Call } from "../host/worker/call.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";
import type { HealthState } from "../telemetry/healthBoard.ts";
import { TelemetryLedger, type TelemetryState } from "../telemetry/telemetryLedger.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";

const MAX_CAPSULE_BYTES = 256 * 1024 * 1024;

/** Writes the state to a file that only this user can read; returns its path. */
export function writeCapsule(state: HandoffState): string {
	const text = JSON.stringify(state);
	if (Buffer.byteLength(text) > MAX_CAPSULE_BYTES)
		throw capsuleRefusal("capsule_too_large", `more than ${MAX_CAPSULE_BYTES} bytes`);
	const path = join(openRuntimeFolder(), `capsule-${process.pid}-${randomBytes(8).toString("hex")}`);
	const fd = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600);
	try {
		// Unlike writeSync, this does not stop silently where the disk is full.
		writeFileSync(fd, text);
		fsyncSync(fd);
	} catch (error) {
		removeCapsule(path);
		throw error;
	} finally {
		closeSync(fd);
	}
	return path;
}

/** Reads a capsule; refuses one that is incomplete, too large, of another version or of another user. */
export function readCapsule(path: string): HandoffState {
	const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	try {
		const { uid, mode, size } = fstatSync(fd);
		if (process.getuid !== undefined && uid !== process.getuid())
			throw capsuleRefusal("capsule_foreign", "another user's file");
		if ((mode & 0o077) !== 0) throw capsuleRefusal("capsule_foreign", "others may read or write it");
		if (size > MAX_CAPSULE_BYTES) throw capsuleRefusal("capsule_too_large", `${size} bytes`);
		return parse(readFileSync(fd, "utf8"));
	} finally {
		closeSync(fd);
	}
}

export function removeCapsule(path: string): void {
	rmSync(path, { force: true });
}

function parse(text: string): HandoffState {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw capsuleRefusal("capsule_corrupt", "not JSON to its end");
	}
	if (typeof value !== "object" || value === null || !("version" in value))
		throw capsuleRefusal("capsule_corrupt", "no version");
	if (value.version !== HANDOFF_VERSION) {
		throw capsuleRefusal("capsule_version", `expected version ${HANDOFF_VERSION}, got ${String(value.version)}`);
	}
	const missing = Object.entries(SHAPE).find(([key, is]) => !is((value as Record<string, unknown>)[key]));
	if (missing !== undefined) throw capsuleRefusal("capsule_corrupt", `${missing[0]} is missing or of the wrong kind`);
	// This version's `writeCapsule` wrote it, as this user, and it is complete, so the check above suffices for the cast.
	return value as HandoffState;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const isListOrAbsent = (value: unknown): boolean => value === undefined || Array.isArray(value);

const SHAPE: Readonly<Record<Exclude<keyof HandoffState, "version">, (value: unknown) => boolean>> = {
	unread: (value) => typeof value === "string",
	session: isObject,
	calls: Array.isArray,
	toWorker: Array.isArray,
	toClient: Array.isArray,
	generation: Number.isSafeInteger,
	command: isObject,
	catalogue: (value) => value === null || isObject(value),
	telemetry: isObject,
	health: isObject,
	lostTasks: isListOrAbsent,
	quarantine: isListOrAbsent,
	refused: isListOrAbsent,
};

function capsuleRefusal(code: FaultCode, detail: string): FaultError {
	return new FaultError(makeFault(code, { detail, retry: "never" }));
}

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
	const { session, dispatch, supervisor, roster, record, ledger, lists, lostTasks, quarantine } = parts;
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
		generation: Math.max(generation, roster.generation),
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
	const { session, ledger, dispatch, supervisor, roster, record, recovery, lists, lostTasks, quarantine, book } = parts;
	record.counters = TelemetryLedger.restore(state.telemetry);
	record.board.restoreState(state.health);
	session.adopt(state.session);
	lostTasks.adopt(state.lostTasks ?? []);
	quarantine.adopt(state);
	roster.generation = state.generation;
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
