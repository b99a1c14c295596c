import { MODES } from "../index/columns.ts";
import { type Snapshot, takeSnapshot } from "../index/snapshot.ts";
import { openReader } from "../index/sqliteReader.ts";
import type { IndexReader } from "../index/store.ts";
import type { GitFile } from "../query/filterContext.ts";
import { FileTexts } from "../query/textOf.ts";
import { type FileVectors, fileVectors } from "../vectors/fileVectors.ts";

/** One index file, open, and the generation of it that is in memory. */
export type OpenIndex = {
	readonly file: string;
	readonly reader: IndexReader;
	readonly snapshot: Snapshot;
	readonly texts: FileTexts;
	/** 1 for each live document of the modes given. */
	documents(modes: readonly number[]): Uint8Array;
	/** What git knows; `undefined` where there is no history. */
	git(): ReadonlyMap<string, GitFile> | undefined;
	vectors(segment: number): FileVectors | undefined;
	/** Brings the snapshot up to the generation that is stored now. */
	refresh(): OpenIndex;
	close(): void;
};

export function openIndex(file: string): OpenIndex {
	const reader = openReader(file);
	return view(file, reader, takeSnapshot(reader));
}

function view(file: string, reader: IndexReader, snapshot: Snapshot): OpenIndex {
	let git: ReadonlyMap<string, GitFile> | undefined | null = null;
	const vectors = new Map<number, FileVectors | undefined>();
	const documents = new Map<string, Uint8Array>();
	return {
		file,
		reader,
		snapshot,
		texts: new FileTexts(reader),
		documents: (modes) => {
			const known = documents.get(modes.join()) ?? documentsOf(snapshot, modes);
			documents.set(modes.join(), known);
			return known;
		},
		git: () => {
			if (git === null) git = readGit(reader);
			return git;
		},
		vectors: (segment) => {
			if (!vectors.has(segment)) {
				const stored = reader.vectors(segment);
				const { files } = snapshot.segments.find(({ id }) => id === segment) ?? { files: [] };
				vectors.set(segment, stored && fileVectors(stored, files));
			}
			return vectors.get(segment);
		},
		refresh() {
			return reader.generation() === snapshot.generation ? this : view(file, reader, takeSnapshot(reader));
		},
		close: () => reader.close(),
	};
}

function documentsOf({ docs, alive, modeOf }: Snapshot, modes: readonly number[]): Uint8Array {
	const wanted = new Uint8Array(MODES.length);
	for (const mode of modes) wanted[mode] = 1;
	const counted = new Uint8Array(docs);
	for (let doc = 0; doc < docs; doc++) counted[doc] = (alive[doc] ?? 0) & (wanted[modeOf[doc] ?? 0] ?? 0);
	return counted;
}

/** Stored as `path → [author, last change in seconds, churn]`. */
function readGit(reader: IndexReader): ReadonlyMap<string, GitFile> | undefined {
	const stored = reader.meta("git");
	if (stored === undefined || stored === "") return undefined;
	const files = JSON.parse(stored) as Record<string, [string, number, number]>;
	return new Map(
		Object.entries(files).map(([path, [author, seconds, churn]]) => [
			path,
			{ author, modifiedMs: seconds * 1000, churn },
		]),
	);
}
