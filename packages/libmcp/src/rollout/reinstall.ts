import type { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { createFault, type Fault } from "../fault/fault.ts";
import { FaultError } from "../fault/faultError.ts";
import { toFault } from "../fault/toFault.ts";
import type { Call } from "../host/call.ts";
import type { Parts } from "../host/parts.ts";
import { removeCapsule, writeCapsule } from "./capsule.ts";
import { captureState } from "./handoffState.ts";
import { bequeath } from "./inheritance.ts";

const DRAIN_MS = 5_000;
const CHECK_MS = 15_000;

export type ReinstallOutcome =
	/** `commit` replaces the program of this process and does not return. */
	{ readonly ok: true; readonly commit: () => void } | { readonly ok: false; readonly fault: Fault };

/**
 * Prepares the host's program, in the version now on disk, to take over this process: same pid, same stdin and stdout.
 * If that fails, the session continues as before, with a fresh worker.
 */
export async function prepareReinstall(parts: Parts, ownStreams: boolean): Promise<ReinstallOutcome> {
	const { port, supervisor } = parts;
	const generation = supervisor.generation;
	const execve = process.execve?.bind(process);
	if (execve === undefined || !ownStreams) {
		const why = ownStreams ? "this Node has no process.execve" : "the host is not a process of its own";
		return {
			ok: false,
			fault: createFault("rollout", "reinstall_unsupported", { detail: why, generation, retry: "never" }),
		};
	}
	const unread = port.stop();
	try {
		await drain(parts);
	} catch (error) {
		port.listen(unread);
		return { ok: false, fault: toFault(error, generation) };
	}
	const lost = await supervisor.suspend();
	for (const call of lost) call.knowledge = "outcome_unknown";
	let path: string | undefined;
	try {
		if (!(await port.drained())) throw notRead(generation);
		path = writeCapsule(captureState(parts, unread));
		checkSuccessor(path);
	} catch (error) {
		if (path !== undefined) removeCapsule(path);
		resume(parts, unread, lost);
		return { ok: false, fault: toFault(error, generation) };
	}
	const env = bequeath(path, false);
	return {
		ok: true,
		commit: () =>
			execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], definedOnly(env)),
	};
}

/** Output that the client has not read is in this program's memory and would be lost. */
function notRead(generation: number): FaultError {
	const detail = "the client does not read what it was sent";
	return new FaultError(createFault("rollout", "client_not_reading", { detail, generation, retry: "later" }));
}

/** A call that may not be repeated is never interrupted for a replacement of the host. */
async function drain(parts: Parts): Promise<void> {
	const { supervisor, book } = parts;
	const open = (): Call[] => [...supervisor.workers].flatMap((worker) => [...worker.calls.values()]);
	const until = performance.now() + DRAIN_MS;
	while (open().some((call) => !call.standing) && performance.now() < until) await delay(10);
	const stuck = open().filter((call) => book.contract(call) !== "convergent");
	if (stuck.length === 0) return;
	throw new FaultError(
		createFault("rollout", "calls_in_flight", {
			detail: `${stuck.length} calls that may not be repeated were still in flight after ${DRAIN_MS} ms`,
			generation: supervisor.generation,
		}),
	);
}

/** Asks the program on disk whether it can read the capsule, before there is no way back. */
function checkSuccessor(path: string): void {
	const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
		env: bequeath(path, true),
		stdio: ["ignore", "ignore", "pipe"],
		timeout: CHECK_MS,
		encoding: "utf8",
	});
	if (status === 0) return;
	const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
	const detail = `the new program refused to take over (exit code ${String(status)}): ${said}`;
	throw new FaultError(createFault("rollout", "successor_refused", { detail }));
}

/** Back to work, with another worker. */
function resume({ recovery, supervisor, port }: Parts, unread: Buffer, lost: readonly Call[]): void {
	recovery.settle(lost, {
		generation: supervisor.generation,
		why: "the host tried to replace itself",
		onProbation: false,
	});
	supervisor.resume();
	port.listen(unread);
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}
