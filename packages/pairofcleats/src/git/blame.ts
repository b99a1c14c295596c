import { runGit } from "./runGit.ts";
import { repositoryOfFile } from "./submodules.ts";

/** Author of each line, indexed by line number from 1. */
export type LineAuthors = readonly string[];

/** Finds the authors of a file as it is in the working tree. */
export type Blame = (file: string) => Promise<LineAuthors | undefined>;

/** Runs `git blame` on one file. */
export function blameFile(base: string, file: string, signal?: AbortSignal): Promise<LineAuthors | undefined> {
	return blameFiles(base, signal)(file);
}

/** Runs `git blame` on one file after another; asks each repository for its filters only once. */
export function blameFiles(base: string, signal?: AbortSignal): Blame {
	const filters = new Map<string, Promise<string[]>>();
	const unlisted = new Set<string>();
	return async (file) => {
		const { root, path } = repositoryOfFile(base, file);
		const off = filters.get(root) ?? withoutFilters(root, signal);
		filters.set(root, off);
		const first = unlisted.has(root) ? NO_LIST : [];
		const read = await blame(root, path, await off, first, signal);
		if (read !== "no list") return read;
		unlisted.add(root);
		const again = await blame(root, path, await off, NO_LIST, signal);
		return again === "no list" ? undefined : again;
	};
}

/** For a repository without the list of commits to ignore that a setting of the user names for all of them. */
const NO_LIST = ["--no-ignore-revs-file"];

async function blame(
	root: string,
	path: string,
	off: readonly string[],
	flags: readonly string[],
	signal: AbortSignal | undefined,
): Promise<LineAuthors | "no list" | undefined> {
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
		[...off, "blame", ...flags, "--porcelain", "--no-textconv", "--encoding=UTF-8", "--", path],
		(chunk) => {
			const lines = (rest + chunk.toString("latin1")).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) read(line);
		},
		signal,
	);
	if (outcome.kind === "absent") return undefined;
	if (outcome.code !== 0) return outcome.stderr.includes("could not open object name list") ? "no list" : undefined;
	return authors.map((author) => Buffer.from(author, "latin1").toString("utf8"));
}

/** Disables the clean filters that a repository can configure, since git would run them on the file. */
async function withoutFilters(root: string, signal: AbortSignal | undefined): Promise<string[]> {
	let keys = "";
	const take = (chunk: Buffer): void => {
		keys += chunk.toString("utf8");
	};
	await runGit(root, ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|process)$"], take, signal);
	return keys.split("\0").flatMap((key) => {
		const filter = key.slice(0, key.lastIndexOf("."));
		return key === "" ? [] : ["-c", `${key}=`, "-c", `${filter}.required=false`];
	});
}

/** Distinct authors of a range of lines, ordered by their number of lines. */
export function authorsOf(lines: LineAuthors, startLine: number, endLine: number): string[] {
	const counts = new Map<string, number>();
	for (let line = startLine; line <= endLine; line += 1) {
		const author = lines[line];
		if (author !== undefined && author !== "") counts.set(author, (counts.get(author) ?? 0) + 1);
	}
	return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([author]) => author);
}
