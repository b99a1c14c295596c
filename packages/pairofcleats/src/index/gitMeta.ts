import { insideRepository } from "../discover/insideRepository.ts";
import { gitState } from "../git/gitState.ts";
import { bringUpToDate, type KnownHistory } from "../git/knownHistory.ts";
import { quickHead } from "../segment/quickHead.ts";
import type { IndexReader } from "../store/store.ts";

/** As the index keeps it: `files` is JSON, what is known by path; "" without git. */
export type GitMeta = { readonly branch: string; readonly head: string; readonly files: string };

/** What git knows of the repository. History is read only when the newest commit is another one. */
export async function gitMeta(root: string, reader: Pick<IndexReader, "meta">, signal?: AbortSignal): Promise<GitMeta> {
	const state = insideRepository(root) ? (quickHead(root) ?? (await gitState(root, signal))) : undefined;
	if (!state) return { branch: "", head: "", files: "" };
	const known = reader.meta("git") ?? "";
	const head = reader.meta("head") ?? "";
	if (known !== "" && head === state.head) return { ...state, files: known };
	const files = await bringUpToDate(root, readKnown(known, head), signal);
	// Git may refuse, and may not the next time.
	return { ...state, files: files === undefined ? "" : JSON.stringify(files) };
}

/** An index made by an older program does not have all that is needed. */
function readKnown(stored: string, head: string): { head: string; files: KnownHistory } | undefined {
	if (stored === "") return undefined;
	const files = JSON.parse(stored) as KnownHistory;
	return Object.values(files).every(([, , , recent]) => Array.isArray(recent)) ? { head, files } : undefined;
}
