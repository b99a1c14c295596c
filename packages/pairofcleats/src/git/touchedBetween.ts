import { guardSettings } from "./guardSettings.ts";
import { runGit } from "./runGit.ts";

/** The files' names need neither a list of people nor a program. */
const NO_HELPERS = ["--no-mailmap", "--no-ext-diff", "--no-textconv"];
const HASH = /^[0-9a-f]{7,64}$/;

/**
 * The files that a commit of only one of two histories touched, by their paths below the root: every other file has the
 * same history in both. `undefined` if git cannot tell.
 */
export async function touchedBetween(
	root: string,
	one: string,
	other: string,
	signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
	if (!HASH.test(one) || !HASH.test(other)) return undefined;
	const guard = await guardSettings(root, signal);
	if (guard.kind !== "guarded") return undefined;
	const { overrides } = guard;
	const chunks: Buffer[] = [];
	const flags = ["-z", "--name-only", "--no-renames", "--relative", "--format=", ...NO_HELPERS];
	const onOutput = (chunk: Buffer): void => void chunks.push(chunk);
	const outcome = await runGit(root, ["log", ...flags, `${one}...${other}`, "--", "."], {
		onOutput,
		signal,
		overrides,
	});
	if (outcome.kind !== "done" || outcome.code !== 0) return undefined;
	return Buffer.concat(chunks)
		.toString("utf8")
		.split("\0")
		.map((path) => path.replace(/^\n+/, ""))
		.filter((path) => path !== "");
}
