import { runGit } from "./runGit.ts";

/**
 * The commits of a range that come from another beginning than the first parents do, as in a merge of a library's
 * repository: their paths may be other files here. Empty for a history with one beginning.
 */
export async function foreignCommits(
	root: string,
	range: string,
	signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
	const list = async (...args: readonly string[]): Promise<string[]> => {
		let said = "";
		const onOutput = (chunk: Buffer): void => {
			said += chunk.toString("latin1");
		};
		const outcome = await runGit(root, ["rev-list", ...args], { onOutput, signal });
		return outcome.kind === "done" && outcome.code === 0 ? said.split("\n").filter(Boolean) : [];
	};
	// Without a merge in the range, all of it follows the one commit before it.
	if ((await list("--merges", "--max-count=1", range)).length === 0) return NONE;
	if ((await list("--max-parents=0", "HEAD")).length < 2) return NONE;
	const [first] = await list("--first-parent", "--max-parents=0", "HEAD");
	if (first === undefined) return NONE;
	const own = new Set([first, ...(await list("--ancestry-path", `${first}..HEAD`))]);
	return new Set((await list(range)).filter((hash) => !own.has(hash)));
}

const NONE: ReadonlySet<string> = new Set();
