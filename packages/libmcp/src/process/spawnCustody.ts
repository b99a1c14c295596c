import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, extname, join, resolve as resolvePath } from "node:path";
import { readErrorCode } from "../fault/thrown.ts";
import { type Guard, startGuard } from "./guardian.ts";
import { type KillFailure, type KillOptions, type KillResult, type KillTarget, readGrace } from "./killResult.ts";
import { killTree, reportKillFailure } from "./killTree.ts";
import { createCustodyMark, markEnvironment, readStartTime } from "./processTable.ts";

export type CustodyOptions = KillOptions & {
	readonly cwd?: string;
	/** The child's whole environment; by default the parent's. */
	readonly env?: NodeJS.ProcessEnv;
	readonly stdio?: SpawnOptions["stdio"];
	/** Ends the tree when aborted. */
	readonly signal?: AbortSignal;
	/** Called when a tree could not be ended, in addition to the line on stderr. */
	readonly onKillFailure?: (failure: KillFailure) => void;
};

const OUTPUT_AFTER_EXIT_MS = 500;
const SWEEP_AFTER_EXIT_MS = 30;

/** How a process ended: by a code or by a signal. */
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export function describeExit({ code, signal }: Exit): string {
	return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** A spawned process and all it will ever start, owned until the whole tree is gone. */
export type Custody = {
	readonly child: ChildProcess;
	readonly pid: number;
	/** How the leader ended, once its output is fully read. Processes it left behind are ended automatically. */
	readonly exited: Promise<Exit>;
	/** Ends the tree, even if the leader is gone. Repeated calls share one result. */
	end(): Promise<KillResult>;
};

/** Rejects when the command cannot be started; otherwise the caller owns the tree and must `end` it or abort. */
export async function spawnCustody(
	command: string,
	args: readonly string[],
	options: CustodyOptions = {},
): Promise<Custody> {
	const grace = readGrace(options);
	options.signal?.throwIfAborted();
	const mark = createCustodyMark();
	const environment = markEnvironment(options.env ?? process.env, mark);
	// Registered before the spawn and completed in the same turn, so that a host killed in between leaves nothing behind.
	const guarding = startGuard(mark, grace);
	const { child, pid } = await start(guarding, command, options.cwd, () =>
		spawnCommand(spawn, command, args, {
			...(options.cwd === undefined ? {} : { cwd: options.cwd }),
			env: environment,
			stdio: options.stdio ?? "pipe",
			// Its own group, so that one signal reaches its children too. On Windows that would open a console instead.
			detached: process.platform !== "win32",
			windowsHide: true,
		}),
	);
	for (const stream of child.stdio) stream?.on("error", () => {});
	const startedAt = process.platform === "win32" ? undefined : readStartTime(pid);
	const target: KillTarget = { pid, mark, ...(startedAt === undefined ? {} : { startedAt }) };
	guarding.lead(target);
	let sweeping: Promise<KillResult> | undefined;
	const sweep = (): Promise<KillResult> => {
		sweeping ??= killAndReport(target, grace, options.onKillFailure).then((result) => {
			// Survivors stay registered, so that they end with the host at the latest.
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
		// Scanning all processes takes a while, so let a successor start first.
		if (sweeping === undefined) setTimeout(sweep, SWEEP_AFTER_EXIT_MS);
	});
	options.signal?.addEventListener("abort", onAbort, { once: true });
	if (options.signal?.aborted) onAbort();
	return { child, pid, exited, end };
}

/** Spawns the child; releases the guard when the command cannot be started. */
async function start(
	guarding: Guard,
	command: string,
	cwd: string | undefined,
	spawnIt: () => ChildProcess,
): Promise<{ child: ChildProcess; pid: number }> {
	try {
		const child = spawnIt();
		// Without a listener a later failed write or signal would bring the whole host down.
		child.on("error", () => {});
		const { pid } = child;
		// Without a pid the process never started; the reason follows as an `error` event.
		if (pid === undefined) throw await new Promise((resolve) => void child.once("error", resolve));
		return { child, pid };
	} catch (error) {
		guarding.release();
		throw folderError(cwd, error) ?? lineError(command, cwd, error) ?? missingError(command, error) ?? error;
	}
}

/** For a missing working folder the system reports ENOENT for the command; name the folder instead. */
function folderError(cwd: string | undefined, cause: unknown): Error | undefined {
	if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return undefined;
	return Object.assign(new Error(`cwd: expected a folder, but ${cwd} is not one`, { cause }), { code: "ENOTDIR" });
}

/** People write a whole command line in place of a program, and the system only reports that no such file exists. */
function lineError(command: string, cwd: string | undefined, cause: unknown): Error | undefined {
	const [program = ""] = command.trim().split(/\s/, 1);
	if (program === command || readErrorCode(cause) !== "ENOENT") return undefined;
	// The spaces may be part of a folder's name.
	if (/[\\/]/.test(program) && !existsSync(resolvePath(cwd ?? "", program))) return undefined;
	const message = `no program is named ${JSON.stringify(command)}; what follows ${program} belongs among its arguments`;
	return Object.assign(new Error(message, { cause }), { code: "ENOENT" });
}

function missingError(command: string, cause: unknown): Error | undefined {
	if (readErrorCode(cause) !== "ENOENT") return undefined;
	return Object.assign(new Error(`the command ${command} was not found`, { cause }), { code: "ENOENT" });
}

/** Reports the leader's exit even when a process it left behind holds its output open. */
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

type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Spawns without a shell. On Windows a batch file needs cmd, so it goes through cmd with every argument quoted. */
export function spawnCommand(
	spawn: Spawn,
	command: string,
	args: readonly string[],
	options: SpawnOptions,
	platform: NodeJS.Platform = process.platform,
): ChildProcess {
	if (platform !== "win32") return spawn(command, args, options);
	const file = resolveOnWindows(command, options.env ?? process.env);
	if (!/\.(?:cmd|bat)$/i.test(file)) return spawn(file, args, options);
	const line = [file, ...args].map(quoteForCmd).join(" ");
	const shell = options.env?.ComSpec ?? "cmd.exe";
	return spawn(shell, ["/d", "/s", "/c", `"${line}"`], { ...options, windowsVerbatimArguments: true });
}

function resolveOnWindows(command: string, environment: NodeJS.ProcessEnv): string {
	const extensions = extname(command) === "" ? (environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
	const folders = /[\\/]/.test(command) ? [""] : (environment.Path ?? environment.PATH ?? "").split(delimiter);
	for (const folder of folders) {
		for (const extension of extensions) {
			const candidate = folder === "" ? `${command}${extension}` : join(folder, `${command}${extension}`);
			if (existsSync(candidate)) return candidate;
		}
	}
	return command;
}

/** Quotes for the program's own argument parsing, then escapes for cmd twice, because batch files expand again. */
function quoteForCmd(argument: string): string {
	const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
	const escaped = quoted.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
	return escaped.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
