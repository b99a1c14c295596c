import type { FileEntry } from "../segment/indexedFile.ts";

/** More languages than this are rarely edited in one sitting, and each takes memory. */
const MOST_LANGUAGES = 2;

/** Loads what taking in an edited file needs, for the languages most files have: the first edit need not wait for it. */
export async function warmIndexer(files: Iterable<Pick<FileEntry, "path" | "language" | "method">>): Promise<void> {
	const byLanguage = new Map<string, { readonly path: string; files: number }>();
	for (const { path, language, method } of files) {
		if (method !== "grammar") continue;
		const known = byLanguage.get(language);
		if (known) known.files += 1;
		else byLanguage.set(language, { path, files: 1 });
	}
	const most = [...byLanguage.values()].sort((a, b) => b.files - a.files).slice(0, MOST_LANGUAGES);
	await import("./indexer.ts");
	const { parseFile } = await import("../parse/parseFile.ts");
	for (const { path } of most) await parseFile(path, "\n");
}
