import { findDocumentFormat, listDocumentReaders } from "../parse/documents/extractDocument.ts";
import type { FileStat } from "../store/store.ts";

/** Tells of a document that had no reader when it was indexed whether it has one now; looks for the readers once. */
export function gainedReader(): (indexed: FileStat | undefined) => boolean {
	let readers: ReturnType<typeof listDocumentReaders> | undefined;
	return (indexed) => {
		const format = indexed?.state === "readerMissing" ? findDocumentFormat(indexed.path) : undefined;
		if (format === undefined) return false;
		readers ??= listDocumentReaders();
		return readers[format];
	};
}
