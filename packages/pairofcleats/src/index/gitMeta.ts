import { insideRepository } from "../discover/insideRepository.ts";
import { gitHistory } from "../git/gitHistory.ts";
import { gitState } from "../git/gitState.ts";
import { quickHead } from "../segment/quickHead.ts";
import type { IndexReader } from "../store/store.ts";

/** As the index keeps it: `files` is JSON, path → [last author, seconds of the last change, churn]; "" without git. */
export type GitMeta = { readonly branch: string; readonly head: string; readonly files: string };

/** What git knows of the repository. History is read again only when the newest commit is another one. */
export async function gitMeta(root: string, reader: IndexReader, signal?: AbortSignal): Promise<GitMeta> {
	const state = insideRepository(root) ? (quickHead(root) ?? (await gitState(root, signal))) : undefined;
	if (!state) return { branch: "", head: "", files: "" };
	const known = reader.meta("git");
	if (known !== undefined && known !== "" && reader.meta("head") === state.head) return { ...state, files: known };
	const history = await gitHistory(root, { ...(signal && { signal }) });
	// Git may refuse, and may not the next time.
	if (history === undefined) return { ...state, files: "" };
	const rows = [...history.files].map(([path, { lastAuthor, lastModified, churn }]) => [
		path,
		[lastAuthor, lastModified, churn],
	]);
	return { ...state, files: JSON.stringify(Object.fromEntries(rows)) };
}
