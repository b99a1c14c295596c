import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { demandsNothing, type Requirement } from "./regexTrigrams.ts";

/** A few trigrams filter files almost as well as all of them. */
const MOST_TRIGRAMS = 12;

/** The live files, by number in the snapshot, that can contain a match. */
export function trigramFiles(snapshot: Snapshot, reader: IndexReader, requirement: Requirement): number[] {
	const files: number[] = [];
	for (const segment of snapshot.segments) {
		const may = satisfying(requirement, segment.id, segment.files.length, reader);
		for (const ordinal of segment.files.keys()) {
			if ((may === undefined || may[ordinal] === 1) && !segment.dead.has(ordinal))
				files.push(segment.fileBase + ordinal);
		}
	}
	return files;
}

/** 1 for each file of a segment that meets the requirement; `undefined` if nothing is required. */
function satisfying(
	requirement: Requirement,
	segment: number,
	count: number,
	reader: IndexReader,
): Uint8Array | undefined {
	if (demandsNothing(requirement)) return undefined;
	const files = new Uint8Array(count).fill(1);
	for (const trigram of spreadOut([...requirement.trigrams])) {
		const has = new Uint8Array(count);
		for (const file of reader.trigram(segment, trigram) ?? []) has[file] = 1;
		keepBoth(files, has);
	}
	for (const alternatives of requirement.anyOf) {
		const any = new Uint8Array(count);
		for (const alternative of alternatives) {
			const one = satisfying(alternative, segment, count, reader);
			for (let file = 0; file < count; file++) if (one === undefined || one[file] === 1) any[file] = 1;
		}
		keepBoth(files, any);
	}
	return files;
}

function spreadOut(trigrams: readonly number[]): number[] {
	if (trigrams.length <= MOST_TRIGRAMS) return [...trigrams];
	const step = trigrams.length / MOST_TRIGRAMS;
	return Array.from({ length: MOST_TRIGRAMS }, (_, index) => trigrams[Math.floor(index * step)] ?? 0);
}

function keepBoth(files: Uint8Array, other: Uint8Array): void {
	for (let file = 0; file < files.length; file++) files[file] = (files[file] ?? 0) & (other[file] ?? 0);
}
