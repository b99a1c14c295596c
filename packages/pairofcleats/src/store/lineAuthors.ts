import { factTerm } from "../segment/factTerms.ts";
import { decodePostings } from "../segment/postings.ts";
import type { IndexReader } from "./store.ts";

/** Git's name for the author of an uncommitted line. */
const NOT_COMMITTED = "Not Committed Yet";

/** Whether an index was built with blame. */
export function knowsAuthors(reader: Pick<IndexReader, "meta">): boolean {
	return (reader.meta("options") ?? "").includes('"blame":true');
}

/** Files that had uncommitted lines when they were indexed; their authors are known after the next commit. */
export function uncommittedFiles(reader: IndexReader): ReadonlySet<string> {
	const paths = new Set<string>();
	for (const { id, docs, files } of reader.segments()) {
		const row = reader.postings(id, factTerm("chunkAuthor", NOT_COMMITTED));
		if (!row) continue;
		const found = decodePostings(row.bytes, row.count, docs).docs;
		for (const { path, firstDoc, docs: count } of files) {
			if (found.some((doc) => doc >= firstDoc && doc < firstDoc + count)) paths.add(path);
		}
	}
	return paths;
}
