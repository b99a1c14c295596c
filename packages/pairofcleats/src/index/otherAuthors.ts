import { join } from "node:path";
import { listTouchedFiles } from "../git/blame.ts";
import { parseStoredJson } from "../store/indexDamage.ts";
import { uncommittedFiles } from "../store/lineAuthors.ts";
import { liveFiles } from "../store/liveFiles.ts";
import type { IndexReader } from "../store/store.ts";
import type { GitHeads } from "./gitMeta.ts";

/** The indexed files whose lines may have other authors than at the indexed commit, though their text is the same. */
export async function otherAuthors(
	root: string,
	heads: GitHeads | undefined,
	reader: IndexReader,
	signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
	const indexed = new Set(liveFiles(reader.segments()).keys());
	if (!heads || indexed.size === 0) return uncommittedFiles(reader);
	if (heads.historyMark !== (reader.meta("historyMark") ?? "")) return indexed;
	const submodules: Readonly<Record<string, string>> = {
		...parseStoredJson(reader.meta("submodules") || "{}"),
	};
	const moves = [
		{ place: "", was: reader.meta("head") ?? "", is: heads.head },
		...Object.entries(heads.submodules).map(([place, is]) => ({ place, was: submodules[place] ?? is, is })),
	];
	const others = new Set(uncommittedFiles(reader));
	for (const { place, was, is } of moves) {
		const touched = was === is ? [] : await listTouchedFiles(join(root, place), was, is, signal);
		if (touched === undefined) return indexed;
		for (const path of touched) others.add(place === "" ? path : `${place}/${path}`);
	}
	return new Set([...others].filter((path) => indexed.has(path)));
}
