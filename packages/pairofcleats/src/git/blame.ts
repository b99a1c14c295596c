import { guardSettings, type SettingsGuard } from "./guardSettings.ts";
import { runGit } from "./runGit.ts";
import type { Override } from "./safeGit.ts";
import { findRepositoryOfFile } from "./submodules.ts";

/** Author of each line, indexed by line number from 1. */
export type LineAuthors = readonly string[];

/** Finds the authors of a file as it is in the working tree. */
export type Blame = (file: string) => Promise<LineAuthors | undefined>;

/** Runs `git blame` on one file. */
export function blameFile(base: string, file: string, signal?: AbortSignal): Promise<LineAuthors | undefined> {
	return blameFiles(base, signal)(file);
}

/** Runs `git blame` on one file after another; looks at the settings of each repository only once. */
export function blameFiles(base: string, signal?: AbortSignal): Blame {
	const guards = new Map<string, Promise<SettingsGuard>>();
	const stalled = new Set<string>();
	const unlisted = new Set<string>();
	return async (file) => {
		const { root, path } = findRepositoryOfFile(base, file);
		const guarding = guards.get(root) ?? guardSettings(root, signal);
		guards.set(root, guarding);
		const guard = await guarding;
		if (guard.kind !== "guarded" || stalled.has(root)) return undefined;
		// Of the lists that are named, git reads even those that an empty name takes back.
		if (guard.overrides.some(([key]) => key === "blame.ignorerevsfile")) unlisted.add(root);
		const ask = (flags: readonly string[]): Promise<Answer> => blame(root, path, guard.overrides, flags, signal);
		let answer = await ask(unlisted.has(root) ? NO_LIST : []);
		if (answer === "no list") {
			unlisted.add(root);
			answer = await ask(NO_LIST);
		}
		if (answer === "stalled") stalled.add(root);
		return typeof answer === "string" ? undefined : answer;
	};
}

/** For a repository without the list of commits to ignore that a setting of the user names for all of them. */
const NO_LIST = ["--no-ignore-revs-file"];

/** One file that stalls git is enough: each of the others might take as long. */
type Answer = LineAuthors | "no list" | "stalled" | undefined;

async function blame(
	root: string,
	path: string,
	overrides: readonly Override[],
	flags: readonly string[],
	signal: AbortSignal | undefined,
): Promise<Answer> {
	const authors: string[] = [""];
	const byCommit = new Map<string, string>();
	let commit = "";
	let finalLine = 0;
	let rest = "";
	const read = (line: string): void => {
		if (line.startsWith("\t")) {
			authors[finalLine] = byCommit.get(commit) ?? "";
			return;
		}
		const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line);
		if (header) {
			commit = header[1] ?? "";
			finalLine = Number(header[2]);
		} else if (line.startsWith("author ")) byCommit.set(commit, line.slice(7));
	};
	const outcome = await runGit(
		root,
		["blame", ...flags, "--porcelain", "--no-textconv", "--encoding=UTF-8", "--", path],
		{
			onOutput: (chunk) => {
				const lines = (rest + chunk.toString("latin1")).split("\n");
				rest = lines.pop() ?? "";
				for (const line of lines) read(line);
			},
			signal,
			overrides,
		},
	);
	if (outcome.kind !== "done") return outcome.kind === "stalled" ? "stalled" : undefined;
	if (outcome.code !== 0) return outcome.stderr.includes("could not open object name list") ? "no list" : undefined;
	return authors.map((author) => Buffer.from(author, "latin1").toString("utf8"));
}

/** Distinct authors of a range of lines, ordered by their number of lines. */
export function listAuthors(lines: LineAuthors, startLine: number, endLine: number): string[] {
	const counts = new Map<string, number>();
	for (let line = startLine; line <= endLine; line += 1) {
		const author = lines[line];
		if (author !== undefined && author !== "") counts.set(author, (counts.get(author) ?? 0) + 1);
	}
	return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([author]) => author);
}

/** The files' names need neither a list of people nor a program. */
const NO_HELPERS = ["--no-mailmap", "--no-ext-diff", "--no-textconv"];
const HASH = /^[0-9a-f]{7,64}$/;

/**
 * The files that a commit of only one of two histories touched, by their paths below the root: every other file has the
 * same history in both. `undefined` if git cannot tell.
 */
export async function listTouchedFiles(
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
