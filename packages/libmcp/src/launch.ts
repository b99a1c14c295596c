// This file must load on Node 20, to report that Node 20 is too old.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { enableCompileCache } from "./command/compileCache.ts";

const MINIMUM = { major: 22, minor: 18 } as const;

/** Imports a command's built entry, which exports `main(args)`, on a Node new enough to run it. */
export async function launch(entry: URL): Promise<void> {
	if (isNewEnough()) {
		endWithLauncher();
		enableCompileCache();
		const { main } = await import(entry.href);
		return main(process.argv.slice(2));
	}
	const newer = workspaceNode(dirname(fileURLToPath(entry)));
	if (newer === undefined) {
		process.stderr.write(
			`Node ${MINIMUM.major}.${MINIMUM.minor} or newer is needed; this is ${process.versions.node} (${process.execPath}).\n`,
		);
		process.exit(1);
	}
	await runAgain(newer);
}

/** Whether this Node, or the given version, can run the built code. */
export function isNewEnough(version: string = process.versions.node): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor);
}

// A checkout installs its own Node as a dev dependency, in the node_modules of some ancestor folder.
function workspaceNode(from: string): string | undefined {
	const name = process.platform === "win32" ? "node.exe" : "node";
	for (let folder = from; ; folder = dirname(folder)) {
		const candidate = join(folder, "node_modules", "node", "bin", name);
		if (existsSync(candidate)) return candidate;
		if (folder === dirname(folder)) return undefined;
	}
}

const LAUNCHER = "HOLDFAST_LAUNCHER";

/** The launcher that started this process; `undefined` where there is none. */
let launcherPid: number | undefined;

/** The pid that the user's shell or agent knows: that of a launcher on an older Node, or our own. */
export function startedPid(): number {
	return launcherPid ?? process.pid;
}

/** Stops this process, as a signal to it would, when the launcher that started it is gone, even if that was killed. */
export function endWithLauncher(): void {
	const [launcher, started] = process.env[LAUNCHER]?.split(" ") ?? [];
	// What this process starts in turn has no launcher; the program that replaces this one in the same process has.
	if (launcher === undefined || (started !== undefined && started !== String(process.pid))) return;
	process.env[LAUNCHER] = `${launcher} ${process.pid}`;
	launcherPid = Number(launcher);
	const parent = (): number | undefined => (process.ppid === launcherPid ? launcherPid : undefined);
	const end = (): unknown => process.kill(process.pid, "SIGTERM");
	void import("./process/ownProcess.ts").then(({ watchParent }) => {
		if (parent() === undefined) end();
		else watchParent(end, undefined, parent);
	});
}

async function runAgain(node: string): Promise<void> {
	// Loaded only here: most starts need no other Node, and this module takes a fifth of a bare start to load.
	const { spawn } = await import("node:child_process");
	const env = { ...process.env, [LAUNCHER]: String(process.pid) };
	const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit", env });
	const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as NodeJS.Signals[];
	if (process.platform !== "win32") signals.push("SIGUSR2");
	for (const signal of signals) process.on(signal, () => child.kill(signal));
	child.on("exit", (code, signal) => {
		if (signal === null) process.exit(code ?? 1);
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
}
