import { QUICK, runGit } from "./runGit.ts";

export type GitState = {
	readonly head: string;
	/** "" when no branch is checked out. */
	readonly branch: string;
};

/** The branch and commit of a repository; `undefined` without git or a repository. */
export async function gitState(root: string, signal?: AbortSignal): Promise<GitState | undefined> {
	let text = "";
	const onOutput = (chunk: Buffer): void => {
		text += chunk.toString("utf8");
	};
	const named = await runGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"], {
		onOutput,
		signal,
		patience: QUICK,
	});
	if (named.kind !== "done") return undefined;
	const branch = text.trim();
	text = "";
	const resolved = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD"], {
		onOutput,
		signal,
		patience: QUICK,
	});
	return { head: resolved.kind === "done" && resolved.code === 0 ? text.trim() : "", branch };
}
