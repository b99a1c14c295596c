import { join } from "node:path";
import { insideRepository } from "../discover/insideRepository.ts";
import { gitState } from "../git/gitState.ts";
import { bringUpToDate, type KnownFile, type KnownHistory } from "../git/knownHistory.ts";
import { quickHead } from "../git/quickHead.ts";
import { submoduleHeads, submodulesOf } from "../git/submodules.ts";
import type { IndexReader } from "../store/store.ts";

/**
 * Git data as stored in the index. `files` is JSON keyed by path, or "" without git. `submodules` is JSON with the
 * commit of each submodule by path, or "" without any.
 */
export type GitMeta = {
	readonly branch: string;
	readonly head: string;
	readonly files: string;
	readonly submodules: string;
};

/** Reads the git data of the repository and its submodules. Reads a history only if its newest commit changed. */
export async function gitMeta(root: string, reader: Pick<IndexReader, "meta">, signal?: AbortSignal): Promise<GitMeta> {
	const state = insideRepository(root) ? (quickHead(root) ?? (await gitState(root, signal))) : undefined;
	if (!state) return { branch: "", head: "", files: "", submodules: "" };
	const places = submodulesOf(root);
	const heads = await submoduleHeads(root, places, signal);
	const submodules = places.length === 0 ? "" : JSON.stringify(heads);
	const stored = reader.meta("git") ?? "";
	const before = { head: reader.meta("head") ?? "", submodules: reader.meta("submodules") ?? "" };
	if (stored !== "" && before.head === state.head && before.submodules === submodules)
		return { ...state, submodules, files: stored };
	const headsBefore: Record<string, string> = before.submodules === "" ? {} : JSON.parse(before.submodules);
	const known = readKnown(stored);
	const files: Record<string, KnownFile> = {};
	for (const place of ["", ...places]) {
		const [was = "", is = ""] = place === "" ? [before.head, state.head] : [headsBefore[place], heads[place]];
		const own = known && filesBelow(known, place, places);
		const now =
			own && was === is && is !== ""
				? own
				: await bringUpToDate(join(root, place), own && { head: was, files: own }, signal);
		// Git failed this time; the next update tries again.
		if (now === undefined && place === "") return { ...state, submodules: "", files: "" };
		for (const [path, file] of Object.entries(now ?? {})) files[place === "" ? path : `${place}/${path}`] = file;
	}
	return { ...state, submodules, files: JSON.stringify(files) };
}

/** The known history of one repository's files, by path in that repository. */
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
	const files = JSON.parse(stored) as KnownHistory;
	return Object.values(files).every(([, , , recent]) => Array.isArray(recent)) ? files : undefined;
}
