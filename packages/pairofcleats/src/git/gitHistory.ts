import { resolve } from "node:path";
import { invalidField } from "../contract/errors.ts";
import { readRegularText } from "../files/readFiles.ts";
import { guardSettings } from "./guardSettings.ts";
import { LOG_FORMAT, type LogChange, type LogCommit, type LogEvents, LogReader } from "./logReader.ts";
import { type GitOutcome, QUICK, runGit } from "./runGit.ts";
import type { Override } from "./safeGit.ts";

/** The history of one file, by its current path. */
export type FileHistory = {
	readonly lastAuthor: string;
	/** Author date of the last commit that touched the file, in seconds since 1970. */
	readonly lastModified: number;
	/** Lines added and deleted by the most recent commits that touched the file, at most `window` of them. */
	readonly churn: number;
	/** The churn of each of those commits, newest first. */
	readonly recent: readonly number[];
	readonly commits: number;
};

export type HistoryOptions = {
	/** Number of commits that count towards a file's churn. */
	readonly window?: number;
	/** Limit on the commits read, for very long histories. */
	readonly maxCommits?: number;
	/**
	 * Read only the commits after this one, to update an older result. Falls back to the whole history unless all of them
	 * are newer.
	 */
	readonly since?: string;
	/** Called with the number of commits that were read so far, lines included. */
	readonly onCommits?: (commits: number) => void;
	readonly signal?: AbortSignal;
};

export type History = {
	readonly files: ReadonlyMap<string, FileHistory>;
	/** Old names of files → current names. */
	readonly renamed: ReadonlyMap<string, string>;
	/** The newest commit read; "" for a repository without commits. */
	readonly head: string;
	readonly commits: number;
	/** False if only the commits after `since` were read. */
	readonly whole: boolean;
	/** True if older commits were not read or are missing from the clone. */
	readonly truncated: boolean;
	/** What git said when it could not read all of it. */
	readonly fault?: string;
};

/** Default number of commits that count towards a file's churn. */
export const DEFAULT_WINDOW = 10;
const DEFAULT_MAX_COMMITS = 50_000;

const NOTHING_READ: History = {
	files: new Map(),
	renamed: new Map(),
	head: "",
	commits: 0,
	whole: true,
	truncated: false,
};

/**
 * Reads the history, newest commit first; `undefined` without git or a repository. Counting lines takes git most of the
 * time, so that a second pass does it only for the commits that count towards a file's churn.
 */
export async function readHistory(root: string, options: HistoryOptions = {}): Promise<History | undefined> {
	const { maxCommits = DEFAULT_MAX_COMMITS, window = DEFAULT_WINDOW, onCommits, signal } = options;
	const { since, ...others } = options;
	if (since !== undefined && !/^[0-9a-f]{7,64}$/.test(since)) throw invalidField("since", "a commit's hash", since);
	const guard = await guardSettings(root, signal);
	if (guard.kind === "absent") return undefined;
	if (guard.kind === "refused") return { ...NOTHING_READ, fault: guard.reason };
	const { overrides } = guard;
	const clone = await cloneOf(root, signal);
	if ("fault" in clone) return { ...NOTHING_READ, ...clone };
	const { ends, below } = clone;
	if (since !== undefined && (ends.size > 0 || !(await allNewer(root, since, signal))))
		return readHistory(root, others);
	const range = since === undefined ? "HEAD" : `${since}..HEAD`;
	// Where a shallow clone ends is no beginning.
	const foreign = ends.size > 0 ? new Set<string>() : await listForeignCommits(root, range, signal);
	if (since !== undefined && foreign.size > 0) return readHistory(root, others);
	const read = async (what: readonly string[], areCounted: boolean): Promise<[Changes, GitOutcome]> => {
		const changes = new Changes(window, { ends, below, foreign }, areCounted);
		const onRead = (): void => {
			if (areCounted) onCommits?.(changes.commits);
		};
		const flags = ["-c", "--name-status", ...what, `--max-count=${maxCommits}`, range];
		return [changes, await readLog(root, flags, changes, onRead, { overrides, signal })];
	};
	let [changes, outcome] = await read(["-M"], false);
	if (outcome.kind === "done" && outcome.code === 0)
		outcome = await countLines(root, changes.uncounted, overrides, options);
	if (outcome.kind === "absent") return undefined;
	if (since !== undefined && outcome.kind === "stalled") return { ...NOTHING_READ, fault: outcome.reason };
	const hasFailed = outcome.kind === "done" && outcome.code !== 0;
	if (since !== undefined && hasFailed) return readHistory(root, others);
	// A partial clone lacks the file contents needed to count lines, but has authors, paths and dates.
	if (hasFailed) [changes, outcome] = await read(["--no-renames"], true);
	const fault = faultOf(outcome);
	return {
		files: new Map([...changes.foreign, ...changes.files]),
		renamed: changes.renamed,
		head: changes.head,
		commits: changes.commits,
		whole: since === undefined,
		truncated: ends.size > 0 || changes.commits >= maxCommits,
		...(fault !== undefined && { fault }),
	};
}

/** The first line that a failed git wrote. A repository without commits is no fault. */
function faultOf(outcome: GitOutcome): string | undefined {
	if (outcome.kind !== "done") return outcome.reason;
	if (outcome.code === 0 || /bad revision 'HEAD'|does not have any commits yet/.test(outcome.stderr)) return undefined;
	return outcome.stderr.split("\n", 1)[0] || `git ended with ${outcome.code}`;
}

/** Counts the lines of the changes that the first pass left out. */
async function countLines(
	root: string,
	uncounted: ReadonlyMap<string, Uncounted>,
	overrides: readonly Override[],
	{ onCommits, signal }: HistoryOptions,
): Promise<GitOutcome> {
	if (uncounted.size === 0) return { kind: "done", code: 0, stderr: "" };
	let commit: Uncounted | undefined;
	let change = 0;
	const counter: LogEvents = {
		onCommit: ({ hash }) => {
			commit = uncounted.get(hash);
			change = 0;
		},
		onChange: ({ lines }) => {
			const entry = commit?.entries[change];
			change += 1;
			if (entry) count(entry, lines);
		},
	};
	const onRead = (): void => {
		if (commit) onCommits?.(commit.nth);
	};
	const what = ["--no-merges", "--numstat", "-M", "--no-walk=unsorted", "--stdin"];
	return readLog(root, what, counter, onRead, { overrides, signal, input: [...uncounted.keys()].join("\n") });
}

function readLog(
	root: string,
	what: readonly string[],
	events: LogEvents,
	onRead: () => void,
	run: { readonly overrides: readonly Override[]; readonly signal: AbortSignal | undefined; readonly input?: string },
): Promise<GitOutcome> {
	const reader = new LogReader(events);
	// A list of patterns for the order of files may be missing, and would be read.
	const flags = [
		"-z",
		"-O/dev/null",
		"--no-follow",
		"--no-ext-diff",
		"--no-textconv",
		"--relative",
		"--encoding=UTF-8",
	];
	const onOutput = (chunk: Buffer): void => {
		reader.push(chunk);
		onRead();
	};
	return runGit(root, ["log", ...flags, LOG_FORMAT, ...what, "--", "."], { ...run, onOutput });
}

/** Whether a commit is in the history and no later commit has an earlier date. */
async function allNewer(root: string, since: string, signal: AbortSignal | undefined): Promise<boolean> {
	let dates = "";
	const onOutput = (chunk: Buffer): void => {
		dates += chunk.toString("latin1");
	};
	const within = await runGit(root, ["merge-base", "--is-ancestor", since, "HEAD"], { signal });
	if (within.kind !== "done" || within.code !== 0) return false;
	const list = ["log", "--no-mailmap", "--format=%ct"];
	await runGit(root, [...list, "--no-walk", since, "--"], { onOutput, signal });
	await runGit(root, [...list, `${since}..HEAD`, "--"], { onOutput, signal });
	const [first = 0, ...later] = dates.trim().split("\n").map(Number);
	return later.every((date) => date > first);
}

type Clone = {
	/** The commits whose paths may be other files here. */
	readonly foreign: ReadonlySet<string>;
	/** The boundary commits of a shallow clone, which seem to add every file. */
	readonly ends: ReadonlySet<string>;
	/** The path of the root in its work tree, "" or with a slash at the end. */
	readonly below: string;
};

async function cloneOf(
	root: string,
	signal: AbortSignal | undefined,
): Promise<Omit<Clone, "foreign"> | { readonly fault: string }> {
	let said = "";
	const onOutput = (chunk: Buffer): void => {
		said += chunk.toString("utf8");
	};
	const outcome = await runGit(root, ["rev-parse", "--git-path", "shallow", "--show-prefix"], {
		onOutput,
		signal,
		patience: QUICK,
	});
	if (outcome.kind === "stalled") return { fault: outcome.reason };
	const [, file = "", below = ""] = /^([\s\S]*shallow)\n([\s\S]*)\n$/.exec(said) ?? [];
	return { ends: shallowEnds(resolve(root, file)), below };
}

function shallowEnds(file: string): ReadonlySet<string> {
	return new Set((readRegularText(file) ?? "").split("\n").filter(Boolean));
}

type Entry = { lastAuthor: string; lastModified: number; churn: number; recent: number[]; commits: number };

/** A commit whose lines are still to be counted, for these files in git's order; `undefined` for one with a full window. */
type Uncounted = { readonly nth: number; readonly entries: readonly (Entry | undefined)[] };

/** Collects what the commits changed. Keeps one entry per path, and of a commit only the lines still to be counted. */
class Changes implements LogEvents {
	readonly #window: number;
	readonly #clone: Clone;
	readonly #areCounted: boolean;
	readonly files = new Map<string, Entry>();
	/** The files of foreign commits, which count where no other commit names the file. */
	readonly foreign = new Map<string, Entry>();
	readonly #foreignRenamed = new Map<string, string>();
	/** Older name → current name. */
	readonly renamed = new Map<string, string>();
	/** By the commit's hash, newest first. */
	readonly uncounted = new Map<string, Uncounted>();
	#commit: LogCommit = { hash: "", author: "", time: 0 };
	#entries: (Entry | undefined)[] = [];
	head = "";
	commits = 0;

	constructor(window: number, clone: Clone, areCounted: boolean) {
		this.#window = window;
		this.#clone = clone;
		this.#areCounted = areCounted;
	}

	readonly onCommit = (commit: LogCommit): void => {
		this.#commit = commit;
		this.#entries = [];
		this.commits += 1;
		if (this.head === "") this.head = commit.hash;
	};

	readonly onChange = ({ path: given, from, lines, merged }: LogChange): void => {
		const { hash, author, time } = this.#commit;
		const { ends, below, foreign } = this.#clone;
		// What the boundary of a shallow clone changed is unknown.
		if (ends.has(hash)) return;
		// Git gives the paths of a merge from the top of the work tree.
		const path = merged && given.startsWith(below) ? given.slice(below.length) : given;
		const [files, renamed] = foreign.has(hash) ? [this.foreign, this.#foreignRenamed] : [this.files, this.renamed];
		const today = renamed.get(path) ?? path;
		const known = files.get(today);
		const entry = known ?? { lastAuthor: author, lastModified: time, churn: 0, recent: [], commits: 0 };
		if (!known) files.set(today, entry);
		// The lines of a merge are those of its parents, which count already.
		if (merged) return;
		const isRecent = entry.commits < this.#window;
		entry.commits += 1;
		if (isRecent && this.#areCounted) count(entry, lines);
		this.#entries.push(isRecent ? entry : undefined);
		if (isRecent && !this.#areCounted) this.uncounted.set(hash, { nth: this.commits, entries: this.#entries });
		if (from !== undefined && from !== today) renamed.set(from, today);
	};
}

function count(entry: Entry, lines: number): void {
	entry.recent.push(lines);
	entry.churn += lines;
}

/**
 * The commits of a range that come from another beginning than the first parents do, as in a merge of a library's
 * repository: their paths may be other files here. Empty for a history with one beginning.
 */
async function listForeignCommits(
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
