import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtimeFolder } from "../command/runtimeFolder.ts";
import { FaultError } from "../fault/faultError.ts";
import { type FaultCode, faultOf } from "../fault/faultTable.ts";
import { HANDOFF_VERSION, type HandoffState } from "./handoffState.ts";

const MAX_CAPSULE_BYTES = 256 * 1024 * 1024;

/** Writes the state to a file that only this user can read; returns its path. */
export function writeCapsule(state: HandoffState): string {
	const text = JSON.stringify(state);
	if (Buffer.byteLength(text) > MAX_CAPSULE_BYTES)
		throw capsuleRefusal("capsule_too_large", `more than ${MAX_CAPSULE_BYTES} bytes`);
	const path = join(runtimeFolder(), `capsule-${process.pid}-${randomBytes(8).toString("hex")}`);
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
	return new FaultError(faultOf(code, { detail, retry: "never" }));
}
