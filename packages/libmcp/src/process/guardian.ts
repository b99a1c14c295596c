import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { KillTarget } from "./killResult.ts";
import type { CustodyMark } from "./processTable.ts";

/** A fresh guardian takes over after this many lines, so that the list stays short. */
const LINES_PER_GUARDIAN = 5_000;

const SHORTEST_LIFE_MS = 500;
const PAUSE_MS = 1_000;

const DISMISSAL_MS = 1_000;

const SHELL = "/bin/sh";

/**
 * A shell waits until the pipe from the host closes, since it starts in a millisecond and uses almost no memory. Only
 * then does it start Node, with the lines it received, to end what is left. A line of "." means that nothing is left.
 * The first lines are passed as arguments, so that a host killed while starting the guardian has either told it
 * everything or not started it. If Node or its program is gone, as after an uninstall, the shell itself kills every
 * process that carries one of the marks.
 */
const WAIT_THEN_END = `
program=$1
shift
lines=
for line; do
	lines="$lines$line
"
done
while IFS= read -r line; do
	case "$line" in
		.) lines= ;;
		*) lines="$lines$line
" ;;
	esac
done
[ -n "$lines" ] || exit 0
printf %s "$lines" | "$0" "$program" && exit 0
marks=$(printf %s "$lines" | sed -n 's/.*"mark":"\\([0-9a-f]\\{12,\\}\\)".*/\\1/p')
[ -n "$marks" ] || exit 1
for round in 1 2 3; do
	for environment in $(grep -lsF "$marks" /proc/[0-9]*/environ); do
		process=\${environment%/environ}
		kill -9 "\${process#/proc/}"
	done
	sleep 1
done
`;

export type Guard = {
	/** Reports the leader once it is known; until then the guardian finds the tree by its mark alone. */
	lead(target: KillTarget): void;
	/** Call when the tree has been ended. */
	release(): void;
};

const guarded = new Map<CustodyMark, string>();
let guardian: ChildProcess | undefined;
let linesWritten = 0;

/** Ensures that every process spawned under the mark is ended when this process dies, in whatever way. */
export function startGuard(mark: CustodyMark, graceMs: number): Guard {
	const lead = (target: Partial<KillTarget>): void => {
		const line = JSON.stringify({ ...target, mark, graceMs });
		guarded.set(mark, line);
		tell(line);
	};
	lead({});
	return {
		lead,
		release: () => {
			if (guarded.delete(mark)) tell(guarded.size === 0 ? "." : JSON.stringify({ released: mark }));
		},
	};
}

/** Waits for the end of a guardian with nothing to guard: a program that replaces this one would not reap it. */
export async function dismissGuardian(): Promise<void> {
	const dismissed = guardian;
	if (dismissed === undefined || guarded.size > 0) return;
	guardian = undefined;
	const ended = once(dismissed, "exit");
	dismissed.stdin?.end(".\n");
	await Promise.race([ended, delay(DISMISSAL_MS)]);
}

function tell(line: string): void {
	if (guardian === undefined && guarded.size === 0) return;
	if (guardian === undefined || linesWritten >= LINES_PER_GUARDIAN) {
		// Tells the old guardian that it has nothing left to guard, so it exits.
		guardian?.stdin?.end(".\n");
		appoint();
		return;
	}
	linesWritten++;
	guardian.stdin?.write(`${line}\n`);
}

/** Starts a new guardian and tells it every tree to guard. */
function appoint(): void {
	const child = startGuardian([...guarded.values()]);
	const since = performance.now();
	guardian = child.pid === undefined ? undefined : child;
	linesWritten = guarded.size;
	child.once("exit", () => {
		if (guardian !== child) return;
		guardian = undefined;
		// Somebody killed it, so replace it; not at once if it died at once, because the next one may too.
		if (performance.now() - since > SHORTEST_LIFE_MS) reappoint();
		else setTimeout(reappoint, PAUSE_MS).unref();
	});
}

function reappoint(): void {
	if (guardian === undefined && guarded.size > 0) appoint();
}

function startGuardian(lines: readonly string[]): ChildProcess {
	const script = join(import.meta.dirname, `guardianMain${extname(import.meta.filename)}`);
	// Container images that contain only Node have no shell.
	const [command, args] = existsSync(SHELL)
		? [SHELL, ["-c", WAIT_THEN_END, process.execPath, script, ...lines]]
		: [process.execPath, [script, ...lines]];
	const child = spawn(command, args, {
		// Its own group and session, no marked environment and none of the host's streams: it must outlive the host.
		detached: true,
		cwd: "/",
		env: process.env.PATH === undefined ? {} : { PATH: process.env.PATH },
		stdio: ["pipe", "ignore", "ignore"],
		windowsHide: true,
	});
	child.on("error", () => {});
	// When file descriptors run out, the child has neither a pid nor a stdin.
	if (child.pid === undefined || child.stdin === null) return child;
	child.stdin.on("error", () => {});
	child.unref();
	if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
	return child;
}
