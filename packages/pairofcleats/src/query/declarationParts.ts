import { FLAG } from "../segment/columns.ts";
import type { SnapshotFile } from "../store/snapshot.ts";
import type { Lines } from "./result.ts";

/**
 * All chunks, by number in the segment, of the declaration that a chunk belongs to. A long declaration has several
 * chunks, with functions nested in it possibly between them.
 */
export function listParts(file: SnapshotFile, local: number): readonly number[] {
	const parts = [local];
	for (let at = neighbour(file, local, -1); at !== undefined; at = neighbour(file, at, -1)) parts.unshift(at);
	for (let at = neighbour(file, local, 1); at !== undefined; at = neighbour(file, at, 1)) parts.push(at);
	return parts;
}

/** The next part in one direction. A chunk of the same name can be another declaration, so the flags must agree. */
function neighbour(file: SnapshotFile, local: number, step: 1 | -1): number | undefined {
	const { columns, names, qualifiedNames } = file.segment;
	const [leaves, enters] = step > 0 ? [FLAG.moreParts, FLAG.laterPart] : [FLAG.laterPart, FLAG.moreParts];
	if (((columns.flags[local] ?? 0) & leaves) === 0) return undefined;
	const end = file.firstDoc + file.docs;
	for (let at = local + step; at >= file.firstDoc && at < end; at += step) {
		if (columns.kind[at] !== columns.kind[local] || names().at(at) !== names().at(local)) continue;
		if (qualifiedNames().at(at) !== qualifiedNames().at(local)) continue;
		return ((columns.flags[at] ?? 0) & enters) === 0 ? undefined : at;
	}
	return undefined;
}

/** The lines of a declaration, from its parts. They include members that are chunks of their own. */
export function spanWholeLines(file: SnapshotFile, parts: readonly number[]): Lines {
	const { startLine, extentEndLine } = file.segment.columns;
	return {
		startLine: startLine[parts[0] ?? 0] ?? 1,
		endLine: Math.max(...parts.map((part) => extentEndLine[part] ?? 1)),
	};
}
