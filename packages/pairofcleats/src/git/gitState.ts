import { runGit } from "./runGit.ts";

export type GitState = {
	readonly head: string;
	/** "" when no branch is checked out. */
	readonly branch: string;
};

/** The branch and commit of a repository; `undefined` without git or a repository. */
export async function gitState(root: string, signal?: AbortSignal): Promise<GitState | undefined> {
	let text = "";
	const take = (chunk: Buffer): void => {
		text += chunk.toString("utf8");
	};
	const named = await runGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"], take, signal);
	if (named.kind === "absent") return undefined;
	const branch = text.trim();
	text = "";
	const resolved = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD"], take, signal);
	return { head: resolved.kind === "done" && resolved.code === 0 ? text.trim() : "", branch };
}
