import type { StatFile } from "../discover/statFiles.ts";
import { findDocumentFormat, listDocumentReaders } from "../parse/documents/extractDocument.ts";
import { listLiveFiles } from "../store/liveFiles.ts";
import type { FileStat, IndexReader } from "../store/store.ts";

/**
 * Whether a file may have changed since it was indexed. Programs can set its modification time back, and new rights do
 * not change it, but either sets the change time.
 */
export function hasChanged(file: StatFile, indexed: FileStat | undefined): boolean {
	return (
		indexed === undefined ||
		indexed.bytes !== file.bytes ||
		indexed.mtimeMs !== file.mtimeMs ||
		indexed.ctimeMs !== file.ctimeMs ||
		indexed.inode !== file.inode
	);
}

/** Tells of a document that had no reader when it was indexed whether it has one now; looks for the readers once. */
export function makeReaderCheck(): (indexed: FileStat | undefined) => boolean {
	let readers: ReturnType<typeof listDocumentReaders> | undefined;
	return (indexed) => {
		const format = indexed?.state === "readerMissing" ? findDocumentFormat(indexed.path) : undefined;
		if (format === undefined) return false;
		readers ??= listDocumentReaders();
		return readers[format];
	};
}

/** The indexed files without vectors of a model, such as those that a process without a model updated. */
export function listFilesWithoutVectors(reader: IndexReader, model: string): string[] {
	const segments = reader.segments().filter(({ id }) => reader.vectorModel(id) !== model);
	return [...listLiveFiles(segments).keys()];
}
