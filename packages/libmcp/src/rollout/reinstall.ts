import type { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Fault, FaultError } from "../fault/fault.ts";
import { type FaultCode, makeFault } from "../fault/faultTable.ts";
import { toFault } from "../fault/toFault.ts";
import type { Port } from "../host/client/clientPort.ts";
import type { Parts } from "../host/parts.ts";
import type { Call } from "../host/worker/call.ts";
import { dismissGuardian } from "../process/guardian.ts";
import { captureState, removeCapsule, writeCapsule } from "./capsule.ts";
import { passOnCapsule } from "./inheritance.ts";

const DRAIN_MS = 5_000;
const CHECK_MS = 15_000;

export type ReinstallOutcome =
	/** `commit` replaces the program of this process and does not return. */
	{ readonly ok: true; readonly commit: () => void } | { readonly ok: false; readonly fault: Fault };

/** Replaces a host's program with the version on disk: same pid, same stdin and stdout. One attempt at a time. */
export class Reinstall {
	readonly #parts: Parts;
	readonly #ownStreams: boolean;
	readonly #isClosing: () => boolean;

	constructor(parts: Parts, ownStreams: boolean, isClosing: () => boolean) {
		this.#parts = parts;
		this.#ownStreams = ownStreams;
		this.#isClosing = isClosing;
	}

	async prepare(): Promise<ReinstallOutcome> {
		const execve = process.execve?.bind(process);
		if (!this.#ownStreams) return this.#refusal("reinstall_unsupported", "the host is not a process of its own");
		if (execve === undefined) return this.#refusal("reinstall_unsupported", "this Node has no process.execve");
		// An upgrade of Node may have removed the one that runs this program.
		if (!existsSync(process.execPath)) return this.#refusal("successor_refused", `${process.execPath} is gone`);
		if (this.#isClosing()) return this.#refusal("host_closing", "the host is closing");
		const { replacement } = this.#parts;
		const refusal = replacement.begin("reinstall");
		if (refusal !== undefined) return { ok: false, fault: refusal };
		const prepared = await prepareCapsule(this.#parts);
		if ("fault" in prepared) {
			replacement.end();
			return { ok: false, fault: prepared.fault };
		}
		const { path } = prepared;
		// It may have been told to end while it waited for calls.
		if (this.#isClosing()) {
			removeCapsule(path);
			replacement.end();
			return this.#refusal("host_closing", "the host is closing");
		}
		const argv = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
		return {
			ok: true,
			commit: () => {
				// If this program was told to end, its successor must end too.
				if (this.#isClosing()) removeCapsule(path);
				else execve(process.execPath, argv, definedOnly(passOnCapsule(path, false)));
			},
		};
	}

	#refusal(code: FaultCode, detail: string): ReinstallOutcome {
		const retry = code === "reinstall_unsupported" ? "never" : "later";
		const { generation } = this.#parts.roster;
		return { ok: false, fault: makeFault(code, { detail, generation, retry }) };
	}
}

/** Has the successor check the state, then ends the workers and writes it; after a late failure a new worker serves. */
async function prepareCapsule(parts: Parts): Promise<{ readonly path: string } | { readonly fault: Fault }> {
	const { port, supervisor, roster, ledger } = parts;
	const { generation } = roster;
	if (!(await betweenMessages(port))) return { fault: stillSending(generation) };
	const unread = port.stop();
	try {
		await drain(parts);
		rehearse(parts, unread);
	} catch (error) {
		port.listen(unread);
		return { fault: toFault(error, generation) };
	}
	const lost = await supervisor.suspend();
	for (const call of lost) call.knowledge = "outcome_unknown";
	let path: string | undefined;
	try {
		if (!(await port.drained())) throw notRead(generation);
		// A call that expired after this would be answered here and again by the successor.
		ledger.pauseClocks();
		path = writeCapsule(captureState(parts, unread));
		await dismissGuardian();
		return { path };
	} catch (error) {
		if (path !== undefined) removeCapsule(path);
		resume(parts, unread, lost);
		return { fault: toFault(error, generation) };
	}
}

/** Waits for the end of a message over the limit: its beginning is gone, and the rest alone may look like a message. */
async function betweenMessages(port: Port): Promise<boolean> {
	const until = performance.now() + DRAIN_MS;
	while (port.isSkipping && performance.now() < until) await delay(10);
	return !port.isSkipping;
}

function stillSending(generation: number): Fault {
	const detail = `the client was still sending a message over the size limit after ${DRAIN_MS} ms`;
	return makeFault("client_sending", { detail, generation, retry: "later" });
}

/** Output that the client has not read is still in this program's memory and would be lost. */
function notRead(generation: number): FaultError {
	const detail = "the client does not read what it was sent";
	return new FaultError(makeFault("client_not_reading", { detail, generation, retry: "later" }));
}

/** Waits for calls in flight; fails if one that may not be repeated is left, since the host must not interrupt it. */
async function drain(parts: Parts): Promise<void> {
	const { roster, book } = parts;
	const open = (): Call[] => [...roster.workers].flatMap((worker) => worker.calls.values());
	const tasks = (): number => [...roster.workers].reduce((sum, worker) => sum + worker.tasks.open, 0);
	const until = performance.now() + DRAIN_MS;
	while ((open().some((call) => !call.standing) || tasks() > 0) && performance.now() < until) await delay(10);
	const stuck = open().filter((call) => book.contract(call) !== "convergent").length + tasks();
	if (stuck === 0) return;
	throw new FaultError(
		makeFault("calls_in_flight", {
			detail: `${stuck} calls or tasks that may not be repeated were still in flight after ${DRAIN_MS} ms`,
			generation: roster.generation,
		}),
	);
}

/** Does all that often fails while the workers still serve, since what they have in memory would be lost with them. */
function rehearse(parts: Parts, unread: Buffer): void {
	const path = writeCapsule(captureState(parts, unread));
	try {
		checkSuccessor(path);
	} finally {
		removeCapsule(path);
	}
}

/** Asks the program on disk whether it can read the capsule, while going back is still possible. */
function checkSuccessor(path: string): void {
	const { status, stderr, error } = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
		env: passOnCapsule(path, true),
		stdio: ["ignore", "ignore", "pipe"],
		timeout: CHECK_MS,
		encoding: "utf8",
	});
	if (status === 0) return;
	if (error !== undefined) {
		const detail = `the new program could not be asked to take over: ${error.message}`;
		throw new FaultError(makeFault("successor_refused", { detail }));
	}
	const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
	const detail = `the new program refused to take over (exit code ${String(status)}): ${said}`;
	throw new FaultError(makeFault("successor_refused", { detail }));
}

/** Resumes the session with a new worker. */
function resume({ recovery, supervisor, roster, port, ledger }: Parts, unread: Buffer, lost: readonly Call[]): void {
	ledger.resumeClocks();
	// A call on trial may be among them, and all others would wait for the end of its trial.
	recovery.lost(lost, {
		generation: roster.generation,
		why: "the host tried to replace itself",
		rollout: "unrelated",
	});
	supervisor.resume();
	port.listen(unread);
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}
