import type { Discovery } from "../discover/discoverFiles.ts";
import { hasChanged } from "../index/hasChanged.ts";
import { knowsAuthors } from "../store/lineAuthors.ts";
import type { FileStat, IndexReader } from "../store/store.ts";

/** The number of files whose authors a commit has changed, though not their text. */
export async function filesToBlame(
	root: string,
	reader: IndexReader,
	{ files }: Pick<Discovery, "files">,
	stats: ReadonlyMap<string, FileStat>,
): Promise<number> {
	if (!knowsAuthors(reader)) return 0;
	// Imported late: few indexes know the authors of lines.
	const [{ gitHeads }, { otherAuthors }] = await Promise.all([
		import("../index/gitMeta.ts"),
		import("../index/otherAuthors.ts"),
	]);
	const others = await otherAuthors(root, await gitHeads(root), reader);
	return files.filter((file) => others.has(file.path) && !hasChanged(file, stats.get(file.path))).length;
}
