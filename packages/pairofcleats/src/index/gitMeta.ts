import { join } from "node:path";
import { listTouchedFiles } from "../git/blame.ts";
import { isInsideRepository } from "../git/gitFolder.ts";
import type { HistoryOptions } from "../git/gitHistory.ts";
import { askGitState, computeHistoryMark, readHeadFiles } from "../git/heads.ts";
import { type KnownFile, type KnownHistory, updateHistory } from "../git/knownHistory.ts";
import { listSubmodules, readSubmoduleHeads } from "../git/submodules.ts";
import { parseStoredJson } from "../store/indexDamage.ts";
import { findUncommittedFiles, listLiveFiles } from "../store/liveFiles.ts";
import type { IndexReader } from "../store/store.ts";
import type { IndexerOptions } from "./build.ts";
import type { Outcome } from "./indexFiles.ts";

/** Where the repository and its submodules stand, which is quick to read. */
export type GitHeads = {
	readonly branch: string;
	readonly head: string;
	/** The commit of each submodule by its path. */
	readonly submodules: Readonly<Record<string, string>>;
	/** What else the history depends on, as `historyMark` tells. */
	readonly historyMark: string;
};

/**
 * Git data as stored in the index. `files` is JSON keyed by path, or "" without git. `submodules` is JSON with the
 * commit of each submodule by path, or "" without any.
 */
export type GitMeta = {
	readonly branch: string;
	readonly head: string;
	readonly files: string;
	readonly submodules: string;
	readonly historyMark: string;
	/** What git said when it could not read the whole history, else "". */
	readonly historyFault: string;
};

const NO_GIT: GitMeta = { branch: "", head: "", files: "", submodules: "", historyMark: "", historyFault: "" };

/** Returns `undefined` outside of a git repository. */
export async function readGitHeads(root: string, signal?: AbortSignal): Promise<GitHeads | undefined> {
	const state = isInsideRepository(root) ? (readHeadFiles(root) ?? (await askGitState(root, signal))) : undefined;
	if (!state) return undefined;
	const places = listSubmodules(root);
	return {
		...state,
		submodules: await readSubmoduleHeads(root, places, signal),
		historyMark: computeHistoryMark(root, places),
	};
}

/** Whether the repository or a submodule is at another commit than the index, or its commits read differently. */
export function haveHeadsMoved(heads: GitHeads | undefined, reader: Pick<IndexReader, "meta">): boolean {
	const now = heads ? storedHeads(heads) : NO_GIT;
	return (["head", "submodules", "historyMark"] as const).some((key) => now[key] !== (reader.meta(key) ?? ""));
}

/** Reads the git data of the repository and its submodules. Reads a history only if its newest commit changed. */
export async function readGitMeta(
	root: string,
	heads: GitHeads | undefined,
	reader: Pick<IndexReader, "meta">,
	options: Pick<HistoryOptions, "onCommits" | "signal"> = {},
): Promise<GitMeta> {
	if (!heads) return NO_GIT;
	const now = storedHeads(heads);
	const stored = reader.meta("git") ?? "";
	const faultBefore = reader.meta("historyFault") ?? "";
	if (stored !== "" && !haveHeadsMoved(heads, reader)) return { ...now, files: stored, historyFault: faultBefore };
	const before = { head: reader.meta("head") ?? "", submodules: reader.meta("submodules") ?? "" };
	const headsBefore: Record<string, string> = before.submodules === "" ? {} : { ...parseStoredJson(before.submodules) };
	const isSound = faultBefore === "" && now.historyMark === (reader.meta("historyMark") ?? "");
	const known = isSound ? readKnown(stored) : undefined;
	const places = Object.keys(heads.submodules);
	const allPlaces = [...places, ...Object.keys(headsBefore)];
	const files: Record<string, KnownFile> = {};
	let historyFault = "";
	for (const place of ["", ...places]) {
		const [was = "", is = ""] =
			place === "" ? [before.head, heads.head] : [headsBefore[place], heads.submodules[place]];
		const own = known && filesBelow(known, place, allPlaces);
		const history = await readHistory(join(root, place), was, is, own, options);
		// Git failed this time; the next update tries again.
		if (history === undefined && place === "") return { ...now, submodules: "", files: "", historyFault };
		historyFault ||= history?.fault ?? "";
		for (const [path, file] of Object.entries(history?.files ?? {}))
			files[place === "" ? path : `${place}/${path}`] = file;
	}
	return { ...now, files: JSON.stringify(files), historyFault };
}

/** The history of one repository, read only as far as it is not known. */
async function readHistory(
	folder: string,
	was: string,
	is: string,
	known: KnownHistory | undefined,
	options: Pick<HistoryOptions, "onCommits" | "signal">,
): ReturnType<typeof updateHistory> {
	if (known && was === is && is !== "") return { files: known };
	return updateHistory(folder, known && { head: was, files: known }, options);
}

function storedHeads({ submodules, ...heads }: GitHeads): Omit<GitMeta, "files" | "historyFault"> {
	return { ...heads, submodules: Object.keys(submodules).length === 0 ? "" : JSON.stringify(submodules) };
}

/** The known history of one repository's files, by path in that repository. `places` has former submodules too. */
function filesBelow(known: KnownHistory, place: string, places: readonly string[]): KnownHistory {
	const start = place === "" ? "" : `${place}/`;
	const inner = places.filter((other) => other !== place && other.startsWith(start)).map((other) => `${other}/`);
	return Object.fromEntries(
		Object.entries(known)
			.filter(([path]) => path.startsWith(start) && !inner.some((other) => path.startsWith(other)))
			.map(([path, file]) => [path.slice(start.length), file]),
	);
}

/** Returns `undefined` if an older version stored less data. */
function readKnown(stored: string): KnownHistory | undefined {
	if (stored === "") return undefined;
	const files = parseStoredJson(stored) as KnownHistory;
	return Object.values(files).every(([, , , recent]) => Array.isArray(recent)) ? files : undefined;
}

/** The indexed files whose lines may have other authors than at the indexed commit, though their text is the same. */
export async function findOtherAuthors(
	root: string,
	heads: GitHeads | undefined,
	reader: IndexReader,
	signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
	const indexed = new Set(listLiveFiles(reader.segments()).keys());
	if (!heads || indexed.size === 0) return findUncommittedFiles(reader);
	if (heads.historyMark !== (reader.meta("historyMark") ?? "")) return indexed;
	const submodules: Readonly<Record<string, string>> = {
		...parseStoredJson(reader.meta("submodules") || "{}"),
	};
	const moves = [
		{ place: "", was: reader.meta("head") ?? "", is: heads.head },
		...Object.entries(heads.submodules).map(([place, is]) => ({ place, was: submodules[place] ?? is, is })),
	];
	const others = new Set(findUncommittedFiles(reader));
	for (const { place, was, is } of moves) {
		const touched = was === is ? [] : await listTouchedFiles(join(root, place), was, is, signal);
		if (touched === undefined) return indexed;
		for (const path of touched) others.add(place === "" ? path : `${place}/${path}`);
	}
	return new Set([...others].filter((path) => indexed.has(path)));
}

/** Reads a long history in git's process while this one parses; if either fails, the other ends too. */
export async function indexBesideHistory(
	heads: GitHeads | undefined,
	reader: IndexReader,
	options: IndexerOptions,
	indexing: (signal: AbortSignal) => Promise<Outcome>,
): Promise<[Outcome, GitMeta]> {
	const stop = new AbortController();
	const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
	let commits = 0;
	let isIndexed = false;
	const tell = (): void =>
		options.onProgress?.({ phase: "git", done: commits, message: `Reading the history: commit ${commits}.` });
	const onCommits = (read: number): void => {
		commits = read;
		if (isIndexed) tell();
	};
	const history = readGitMeta(options.root, heads, reader, { onCommits, signal });
	const indexed = indexing(signal).then((outcome) => {
		isIndexed = true;
		if (commits > 0) tell();
		return outcome;
	});
	try {
		return await Promise.all([indexed, history]);
	} catch (error) {
		stop.abort(error);
		await Promise.allSettled([indexed, history]);
		throw error;
	}
}

/** What a build and the status of its index say of a history that git could not read whole. */
export function describeHistoryFault(fault: string | undefined): string[] {
	return fault === undefined || fault === "" ? [] : [`git could not read the whole history: ${fault}`];
}
