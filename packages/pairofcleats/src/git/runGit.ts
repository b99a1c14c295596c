import { type ChildProcess, spawn } from "node:child_process";
import { findGit, GIT_SAFE_FLAGS, makeGitEnvironment, makeOverrideFlags, type Override } from "./safeGit.ts";
import { findHazard, searchStall } from "./stalls.ts";

export type GitOutcome =
	| { readonly kind: "done"; readonly code: number; readonly stderr: string }
	/** Git is not installed, or this is not a repository. */
	| { readonly kind: "absent"; readonly reason: string }
	/** Git would not end, or did not, because of what the repository has in place of a file. */
	| { readonly kind: "stalled"; readonly reason: string };

export type GitRun = {
	readonly onOutput?: (chunk: Buffer) => void;
	/** Ends git when aborted; the call then rejects. */
	readonly signal?: AbortSignal | undefined;
	readonly input?: string;
	readonly overrides?: readonly Override[];
	readonly patience?: Patience;
};

/** How long git may be silent before somebody looks why, and before it is ended. */
export type Patience = { readonly doubtMs: number; readonly silenceMs: number };

/** Only a large tree or history takes git longer than the first, and nothing known as long as the second. */
const PATIENCE: Patience = { doubtMs: 2_000, silenceMs: 300_000 };
/** For what git tells at once, whatever the size of a repository. */
export const QUICK: Patience = { doubtMs: 2_000, silenceMs: 10_000 };
const MAX_STDERR = 4_000;

/**
 * Runs git and streams its output, so that the history is never held in memory. A git that waits for something that
 * never comes is ended, with all that it started.
 */
export async function runGit(root: string, args: readonly string[], run: GitRun = {}): Promise<GitOutcome> {
	const { onOutput, signal, input = "", overrides = [], patience = PATIENCE } = run;
	signal?.throwIfAborted();
	const program = findGit();
	if (program === undefined) return { kind: "absent", reason: "git is not installed" };
	const hazard = findHazard(root);
	if (hazard !== undefined) return { kind: "stalled", reason: hazard };
	const child = spawn(program, [...GIT_SAFE_FLAGS, ...makeOverrideFlags(overrides), ...args], {
		cwd: root,
		env: makeGitEnvironment(overrides),
		stdio: ["pipe", "pipe", "pipe"],
		windowsHide: true,
	});
	let stderr = "";
	let stall: string | undefined;
	const ended = Promise.withResolvers<number | Error>();
	child.on("error", ended.resolve);
	child.on("close", (code) => ended.resolve(code ?? -1));
	const end = (): void => void endTree(child).then(() => ended.resolve(-1), ended.resolve);
	signal?.addEventListener("abort", end, { once: true });
	const stopWatch = watchSilence(child, root, patience, (reason) => {
		stall = reason;
		end();
	});
	// A git that ends early does not read all of its input; its exit status tells why.
	child.stdin.on("error", () => {});
	child.stdin.end(input);
	child.stdout.on("data", (chunk: Buffer) => onOutput?.(chunk));
	child.stderr.on("data", (chunk: Buffer) => {
		if (stderr.length < MAX_STDERR) stderr += chunk.toString("utf8");
	});
	const code = await ended.promise;
	stopWatch();
	signal?.removeEventListener("abort", end);
	signal?.throwIfAborted();
	if (stall !== undefined) return { kind: "stalled", reason: stall };
	if (typeof code !== "number") return { kind: "absent", reason: code.message };
	if (/not a git repository|dubious ownership/.test(stderr)) return { kind: "absent", reason: stderr.trim() };
	return { kind: "done", code, stderr: stderr.trim() };
}

/** Calls back once with the reason for a silence that will not end. Counts turns, so that a busy thread blames nobody. */
function watchSilence(
	child: ChildProcess,
	root: string,
	{ doubtMs, silenceMs }: Patience,
	onStall: (reason: string) => void,
): () => void {
	const step = doubtMs / 2;
	let silentMs = 0;
	let isExamined = false;
	for (const stream of [child.stdout, child.stderr])
		stream?.on("data", () => {
			silentMs = 0;
		});
	let isOver = false;
	const stop = (): void => {
		isOver = true;
		clearInterval(timer);
	};
	const report = (reason: string): void => {
		if (isOver) return;
		stop();
		onStall(reason);
	};
	const timer = setInterval(async () => {
		silentMs += step;
		if (silentMs >= silenceMs) report(`it said nothing for ${silenceMs / 1_000} s`);
		else if (silentMs >= doubtMs && !isExamined && isUnexamined(root)) {
			isExamined = true;
			const reason = await searchStall(root).catch(() => undefined);
			if (reason === undefined) return;
			examined.delete(root);
			report(reason);
		}
	}, step);
	return stop;
}

/** When the files of a repository were last searched in vain, because each of thousands of calls may take git long. */
const examined = new Map<string, number>();
const EXAMINE_AGAIN_MS = 60_000;

function isUnexamined(root: string): boolean {
	const now = performance.now();
	for (const [other, at] of examined) if (now - at > EXAMINE_AGAIN_MS) examined.delete(other);
	if (examined.has(root)) return false;
	examined.set(root, now);
	return true;
}

/** Git stays in this process's group, so that a terminal's Ctrl-C reaches both; so its tree is ended one by one. */
async function endTree(child: ChildProcess): Promise<void> {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const { killTree } = await import("libmcp");
	await killTree({ pid: child.pid });
	for (const stream of child.stdio) stream?.destroy();
}
