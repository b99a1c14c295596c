import type { Change, IndexWriter, StoredSegment } from "./store.ts";

/** The position of a file's current version in the index. */
export type LiveFile = { readonly segment: number; readonly ordinal: number; readonly hash: string };

export function liveFiles(segments: readonly StoredSegment[]): Map<string, LiveFile> {
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
export function deadFiles(
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
