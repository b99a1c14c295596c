import { runGit } from "./runGit.ts";

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
	const chunks: Buffer[] = [];
	const flags = ["-z", "--name-only", "--no-renames", "--relative", "--format="];
	const outcome = await runGit(
		root,
		["log", ...flags, `${one}...${other}`, "--", "."],
		(chunk) => chunks.push(chunk),
		signal,
	);
	if (outcome.kind === "absent" || outcome.code !== 0) return undefined;
	return Buffer.concat(chunks)
		.toString("utf8")
		.split("\0")
		.map((path) => path.replace(/^\n+/, ""))
		.filter((path) => path !== "");
}
