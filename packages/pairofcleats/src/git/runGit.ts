import { spawn } from "node:child_process";
import { GIT_SAFE_FLAGS, gitEnvironment } from "./safeGit.ts";

export type GitOutcome =
	| { readonly kind: "done"; readonly code: number; readonly stderr: string }
	/** Git is not installed, or this is not a repository. */
	| { readonly kind: "absent"; readonly reason: string };

const MAX_STDERR = 4_000;

/** Runs git and streams its output, so that the history is never held in memory. Aborting ends the process. */
export function runGit(
	root: string,
	args: readonly string[],
	onOutput: (chunk: Buffer) => void,
	signal?: AbortSignal,
	input = "",
): Promise<GitOutcome> {
	return new Promise((resolve, reject) => {
		const child = spawn("git", [...GIT_SAFE_FLAGS, ...args], {
			cwd: root,
			env: gitEnvironment(),
			stdio: ["pipe", "pipe", "pipe"],
			...(signal && { signal }),
		});
		let stderr = "";
		// A git that ends early does not read all of its input; its exit status tells why.
		child.stdin.on("error", () => {});
		child.stdin.end(input);
		child.stdout.on("data", onOutput);
		child.stderr.on("data", (chunk: Buffer) => {
			if (stderr.length < MAX_STDERR) stderr += chunk.toString("utf8");
		});
		child.on("error", (error) => {
			if (signal?.aborted) reject(signal.reason);
			else resolve({ kind: "absent", reason: error.message });
		});
		child.on("close", (code) => {
			if (signal?.aborted) reject(signal.reason);
			else if (/not a git repository|dubious ownership/.test(stderr))
				resolve({ kind: "absent", reason: stderr.trim() });
			else resolve({ kind: "done", code: code ?? -1, stderr: stderr.trim() });
		});
	});
}
