import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { invalidField } from "../contract/errors.ts";
import { type GitOutcome, runGit } from "./runGit.ts";

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
	/** Called with the number of commits read so far. */
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
};

/** Default number of commits that count towards a file's churn. */
export const DEFAULT_WINDOW = 10;
const DEFAULT_MAX_COMMITS = 50_000;
/** Starts a commit's header. Git separates fields with NULs, so no path can contain it. */
const MARK = "\u0001";
const FORMAT = `--format=${MARK}%H%x00%aN%x00%at%x00`;

/** Reads the history in one pass, newest first; `undefined` without git or a repository. */
export async function gitHistory(root: string, options: HistoryOptions = {}): Promise<History | undefined> {
	const maxCommits = options.maxCommits ?? DEFAULT_MAX_COMMITS;
	const { since, ...others } = options;
	if (since !== undefined && !/^[0-9a-f]{7,64}$/.test(since)) throw invalidField("since", "a commit's hash", since);
	const ends = await shallowEnds(root, options.signal);
	if (since !== undefined && (ends.size > 0 || !(await allNewer(root, since, options.signal))))
		return gitHistory(root, others);
	const read = async (what: readonly string[]): Promise<{ reader: HistoryReader; outcome: GitOutcome }> => {
		const reader = new HistoryReader(options.window ?? DEFAULT_WINDOW, ends);
		const range = since === undefined ? "HEAD" : `${since}..HEAD`;
		const args = ["log", "-z", ...what, "--no-merges", "--relative", "--encoding=UTF-8", FORMAT];
		const outcome = await runGit(
			root,
			[...args, `--max-count=${maxCommits}`, range, "--", "."],
			(chunk) => {
				reader.push(chunk);
				options.onCommits?.(reader.commits);
			},
			options.signal,
		);
		reader.end();
		return { reader, outcome };
	};
	let { reader, outcome } = await read(["--numstat", "-M"]);
	if (outcome.kind === "absent") return undefined;
	if (since !== undefined && outcome.code !== 0) return gitHistory(root, others);
	// A partial clone lacks the file contents needed to count lines, but has authors, paths and dates.
	if (outcome.code !== 0) ({ reader, outcome } = await read(["--name-only", "--no-renames"]));
	return {
		files: reader.files(),
		renamed: reader.renamed,
		head: reader.head,
		commits: reader.commits,
		whole: since === undefined,
		truncated: ends.size > 0 || reader.commits >= maxCommits,
	};
}

/** Whether a commit is in the history and no later commit has an earlier date. */
async function allNewer(root: string, since: string, signal: AbortSignal | undefined): Promise<boolean> {
	let dates = "";
	const take = (chunk: Buffer): void => {
		dates += chunk.toString("latin1");
	};
	const within = await runGit(root, ["merge-base", "--is-ancestor", since, "HEAD"], () => {}, signal);
	if (within.kind === "absent" || within.code !== 0) return false;
	await runGit(root, ["log", "--no-walk", "--format=%ct", since, "--"], take, signal);
	await runGit(root, ["log", "--format=%ct", `${since}..HEAD`, "--"], take, signal);
	const [first = 0, ...later] = dates.trim().split("\n").map(Number);
	return later.every((date) => date > first);
}

/** The boundary commits of a shallow clone, which seem to add every file. */
async function shallowEnds(root: string, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
	let file = "";
	await runGit(
		root,
		["rev-parse", "--git-path", "shallow"],
		(chunk) => {
			file += chunk.toString("utf8");
		},
		signal,
	);
	try {
		return new Set(
			readFileSync(resolve(root, file.replace(/\n$/, "")), "utf8")
				.split("\n")
				.filter(Boolean),
		);
	} catch {
		return new Set();
	}
}

type Entry = { lastAuthor: string; lastModified: number; churn: number; recent: number[]; commits: number };

/** Parses git's output in pieces of any size. Keeps one entry per path and nothing per commit. */
class HistoryReader {
	readonly #window: number;
	readonly #ends: ReadonlySet<string>;
	readonly #entries = new Map<string, Entry>();
	/** Older name → current name. */
	readonly renamed = new Map<string, string>();
	#rest = Buffer.alloc(0);
	/** Whether the current commit is a shallow boundary, whose changes are unknown. */
	#isEnd = false;
	#author = "";
	#time = 0;
	#headerFields: string[] | undefined;
	/** A rename's numstat has no path; the old and the new path follow in fields of their own. */
	#rename: { changed: number; from: string | undefined } | undefined;
	head = "";
	commits = 0;

	constructor(window: number, ends: ReadonlySet<string>) {
		this.#window = window;
		this.#ends = ends;
	}

	push(chunk: Buffer): void {
		const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
		let from = 0;
		for (let at = bytes.indexOf(0, from); at >= 0; at = bytes.indexOf(0, from)) {
			this.#field(bytes.toString("utf8", from, at));
			from = at + 1;
		}
		this.#rest = Buffer.from(bytes.subarray(from));
	}

	end(): void {
		if (this.#rest.length > 0) this.#field(this.#rest.toString("utf8"));
		this.#rest = Buffer.alloc(0);
	}

	files(): ReadonlyMap<string, FileHistory> {
		return this.#entries;
	}

	#field(raw: string): void {
		const text = raw.replace(/^\n+/, "");
		if (text.startsWith(MARK)) {
			this.#rename = undefined;
			this.#headerFields = [text.slice(1)];
			return;
		}
		if (this.#headerFields) {
			this.#headerFields.push(text);
			if (this.#headerFields.length === 3) this.#startCommit(this.#headerFields);
			return;
		}
		if (this.#rename) this.#renameField(text);
		else if (text !== "" && !this.#isEnd) this.#changed(text);
	}

	#startCommit([hash = "", author = "", time = ""]: readonly string[]): void {
		this.#headerFields = undefined;
		this.#isEnd = this.#ends.has(hash);
		this.#author = author;
		this.#time = Number(time) || 0;
		this.commits += 1;
		if (this.head === "") this.head = hash;
	}

	#changed(text: string): void {
		const match = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(text);
		if (!match) {
			// Without counts, the field is only a path.
			this.#touch(text, 0);
			return;
		}
		// A binary file shows dashes: touched, but no lines to count.
		const changed = (Number(match[1]) || 0) + (Number(match[2]) || 0);
		const path = match[3] ?? "";
		if (path === "") this.#rename = { changed, from: undefined };
		else this.#touch(path, changed);
	}

	#renameField(path: string): void {
		const rename = this.#rename;
		if (!rename) return;
		if (rename.from === undefined) {
			rename.from = path;
			return;
		}
		this.#rename = undefined;
		this.#touch(path, rename.changed);
		const today = this.renamed.get(path) ?? path;
		if (rename.from !== today) this.renamed.set(rename.from, today);
	}

	#touch(written: string, changed: number): void {
		const path = this.renamed.get(written) ?? written;
		let entry = this.#entries.get(path);
		if (!entry) {
			entry = { lastAuthor: this.#author, lastModified: this.#time, churn: 0, recent: [], commits: 0 };
			this.#entries.set(path, entry);
		}
		if (entry.recent.length < this.#window) {
			entry.recent.push(changed);
			entry.churn += changed;
		}
		entry.commits += 1;
	}
}
