import { makeFactTerm } from "../segment/factTerms.ts";
import { decodePostings } from "../segment/postings.ts";
import { parseStoredJson } from "./indexDamage.ts";
import type { Change, IndexReader, IndexWriter, StoredSegment } from "./store.ts";

/** The position of a file's current version in the index. */
export type LiveFile = { readonly segment: number; readonly ordinal: number; readonly hash: string };

export function listLiveFiles(segments: readonly StoredSegment[]): Map<string, LiveFile> {
	const live = new Map<string, LiveFile>();
	for (const { id, files, dead } of segments) {
		const gone = new Set(dead);
		for (const [ordinal, { path, hash }] of files.entries()) {
			if (!gone.has(ordinal)) live.set(path, { segment: id, ordinal, hash });
		}
	}
	return live;
}

/** The positions that are dead once the change is published, and the segments without any live file left. */
export function findDeadFiles(
	writer: IndexWriter,
	live: ReadonlyMap<string, LiveFile>,
	paths: readonly string[],
	resumed: readonly LiveFile[],
): Pick<Change, "dead" | "drop"> {
	const dead = new Map<number, readonly number[]>();
	const drop: number[] = [];
	const settle = (segment: StoredSegment, gone: ReadonlySet<number>): void => {
		if (gone.size === segment.files.length) drop.push(segment.id);
		else if (gone.size !== segment.dead.length)
			dead.set(
				segment.id,
				[...gone].sort((a, b) => a - b),
			);
	};
	const replaced = paths.map((path) => live.get(path)).filter((file) => file !== undefined);
	for (const segment of writer.reader.segments()) {
		const gone = new Set(segment.dead);
		for (const file of replaced) if (file.segment === segment.id) gone.add(file.ordinal);
		settle(segment, gone);
	}
	for (const segment of writer.pending()) {
		const kept = new Set(resumed.filter((file) => file.segment === segment.id).map(({ ordinal }) => ordinal));
		// In a resumed segment, files that have changed or vanished since are dead from the start.
		if (kept.size > 0) settle(segment, new Set([...segment.files.keys()].filter((ordinal) => !kept.has(ordinal))));
	}
	return { dead, drop };
}

/** Git's name for the author of an uncommitted line. */
const NOT_COMMITTED = "Not Committed Yet";

/** Whether an index was built with blame. */
export function hasLineAuthors(reader: Pick<IndexReader, "meta">): boolean {
	const options = parseStoredJson(reader.meta("options") || "{}");
	return "blame" in options && options.blame === true;
}

/** Files that had uncommitted lines when they were indexed; their authors are known after the next commit. */
export function findUncommittedFiles(reader: IndexReader): ReadonlySet<string> {
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
