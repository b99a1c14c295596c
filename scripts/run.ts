import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));
/** Where the processes of tests and checks keep what Node has compiled. */
export const COMPILED: string = join(ROOT, ".cache", "compiled");

/** Runs a command in the workspace root with this Node, its output shown; returns its exit code. */
export function run(command: string, args: readonly string[]): number {
	const { status, error } = spawnSync(command === "node" ? process.execPath : command, args, {
		cwd: ROOT,
		stdio: "inherit",
	});
	if (error) throw error;
	return status ?? 1;
}

export function runOrExit(command: string, args: readonly string[]): void {
	const code = run(command, args);
	if (code !== 0) process.exit(code);
}
