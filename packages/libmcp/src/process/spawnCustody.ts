import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { markedEnvironment, newCustodyMark } from "./custodyMark.ts";
import { type Guard, guard } from "./guardian.ts";
import { graceOf, type KillFailure, type KillOptions, type KillResult, type KillTarget } from "./killResult.ts";
import { killTree, reportKillFailure } from "./killTree.ts";
import { startOf } from "./processTable.ts";
import { spawnCommand } from "./spawnCommand.ts";

export type CustodyOptions = KillOptions & {
	readonly cwd?: string;
	/** The whole environment of the child; the parent's own unless given. */
	readonly env?: NodeJS.ProcessEnv;
	readonly stdio?: SpawnOptions["stdio"];
	/** Aborting it ends the tree. */
	readonly signal?: AbortSignal;
	/** Called when a tree could not be ended, in addition to the line on stderr. */
	readonly onKillFailure?: (failure: KillFailure) => void;
};

const OUTPUT_AFTER_EXIT_MS = 500;
const SWEEP_AFTER_EXIT_MS = 30;

/** How a process ended: by a code or by a signal. */
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export function exitText({ code, signal }: Exit): string {
	return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** A spawned process and all it will ever start, owned until the whole tree is gone. */
export type Custody = {
	readonly child: ChildProcess;
	readonly pid: number;
	/** How the leader ended, once its output has been read to the end. Processes it left behind are ended automatically. */
	readonly exited: Promise<Exit>;
	/** Ends the tree, leader alive or not. Any number of calls end it once and share the result. */
	end(): Promise<KillResult>;
};

/** Rejects when the command cannot be started; otherwise the caller owns a tree and must `end` it or abort the signal. */
export async function spawnCustody(
	command: string,
	args: readonly string[],
	options: CustodyOptions = {},
): Promise<Custody> {
	const grace = graceOf(options);
	options.signal?.throwIfAborted();
	const mark = newCustodyMark();
	const environment = markedEnvironment(options.env ?? process.env, mark);
	// Registered before the spawn and completed in the same turn: a host killed in between must leave nothing behind.
	const guarding = guard(mark, grace);
	const { child, pid } = await start(guarding, options.cwd, () =>
		spawnCommand(spawn, command, args, {
			...(options.cwd === undefined ? {} : { cwd: options.cwd }),
			env: environment,
			stdio: options.stdio ?? "pipe",
			// A group of its own, so that one signal reaches the children too. On Windows it would open a console instead.
			detached: process.platform !== "win32",
			windowsHide: true,
		}),
	);
	for (const stream of child.stdio) stream?.on("error", () => {});
	const startedAt = process.platform === "win32" ? undefined : startOf(pid);
	const target: KillTarget = { pid, mark, ...(startedAt === undefined ? {} : { startedAt }) };
	guarding.lead(target);
	let sweeping: Promise<KillResult> | undefined;
	const sweep = (): Promise<KillResult> => {
		sweeping ??= killAndReport(target, grace, options.onKillFailure).then((result) => {
			// Survivors stay registered, so they are ended with the host at the latest.
			if (result.failure === undefined) guarding.release();
			return result;
		});
		return sweeping;
	};
	const end = async (): Promise<KillResult> => {
		const result = await sweep();
		// Bytes still in a pipe belong to abandoned work; nothing is delivered after the end.
		for (const stream of child.stdio) stream?.destroy();
		if (result.failure === undefined) await exited;
		else child.unref();
		return result;
	};
	const onAbort = (): void => void end();
	const exited = exitOf(child);
	child.once("exit", () => {
		options.signal?.removeEventListener("abort", onAbort);
		// Scanning all processes takes a while; starting a successor goes first.
		if (sweeping === undefined) setTimeout(sweep, SWEEP_AFTER_EXIT_MS);
	});
	options.signal?.addEventListener("abort", onAbort, { once: true });
	if (options.signal?.aborted) onAbort();
	return { child, pid, exited, end };
}

/** Releases the guard when the command cannot be started. */
async function start(
	guarding: Guard,
	cwd: string | undefined,
	spawnIt: () => ChildProcess,
): Promise<{ child: ChildProcess; pid: number }> {
	try {
		const child = spawnIt();
		// Without a listener a later failed write or signal would bring the whole host down.
		child.on("error", () => {});
		const { pid } = child;
		// A process without an id never started; why not is said a moment later.
		if (pid === undefined) throw await new Promise((resolve) => void child.once("error", resolve));
		return { child, pid };
	} catch (error) {
		guarding.release();
		throw folderError(cwd, error) ?? error;
	}
}

/** For a missing working folder the system reports ENOENT for the command; name the folder instead. */
function folderError(cwd: string | undefined, cause: unknown): Error | undefined {
	if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return undefined;
	return Object.assign(new Error(`cwd: expected a folder, but ${cwd} is not one`, { cause }), { code: "ENOTDIR" });
}

/** A stray that holds the leader's output open must not hide that the leader is gone. */
function exitOf(child: ChildProcess): Promise<Exit> {
	return new Promise((resolve) => {
		child.once("close", (code, signal) => resolve({ code, signal }));
		child.once("exit", (code, signal) => setTimeout(resolve, OUTPUT_AFTER_EXIT_MS, { code, signal }).unref());
	});
}

async function killAndReport(
	target: KillTarget,
	graceMs: number,
	onKillFailure: CustodyOptions["onKillFailure"],
): Promise<KillResult> {
	const result = await killTree(target, { graceMs });
	if (result.failure !== undefined) {
		reportKillFailure(result.failure);
		onKillFailure?.(result.failure);
	}
	return result;
}
