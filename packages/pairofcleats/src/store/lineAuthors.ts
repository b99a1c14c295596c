import { makeFactTerm } from "../segment/factTerms.ts";
import { decodePostings } from "../segment/postings.ts";
import { parseStoredJson } from "./indexDamage.ts";
import type { IndexReader } from "./store.ts";

/** Git's name for the author of an uncommitted line. */
const NOT_COMMITTED = "Not Committed Yet";

/** Whether an index was built with blame. */
export function knowsAuthors(reader: Pick<IndexReader, "meta">): boolean {
	const options = parseStoredJson(reader.meta("options") || "{}");
	return "blame" in options && options.blame === true;
}

/** Files that had uncommitted lines when they were indexed; their authors are known after the next commit. */
export function uncommittedFiles(reader: IndexReader): ReadonlySet<string> {
	const paths = new Set<string>();
	for (const { id, docs, files, dead } of reader.segments()) {
		const row = reader.postings(id, makeFactTerm("chunkAuthor", NOT_COMMITTED));
		if (!row) continue;
		const found = decodePostings(row.bytes, row.count, docs).docs;
		const gone = new Set(dead);
		let next = 0;
		// Both the files and the documents found are in ascending order.
		for (const [ordinal, { path, firstDoc, docs: count }] of files.entries()) {
			const before = next;
			while ((found[next] ?? docs) < firstDoc + count) next += 1;
			if (next > before && !gone.has(ordinal)) paths.add(path);
		}
	}
	return paths;
}
