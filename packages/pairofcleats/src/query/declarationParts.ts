import { FLAG } from "../segment/columns.ts";
import type { SnapshotFile } from "../store/snapshot.ts";
import type { Hit } from "./result.ts";

/**
 * The chunks, by their number in the segment, of the declaration that a chunk is of: a long one comes in several, and one
 * with functions of their own in it is interrupted by them.
 */
export function declarationParts(file: SnapshotFile, local: number): readonly number[] {
	const parts = [local];
	for (let at = neighbour(file, local, -1); at !== undefined; at = neighbour(file, at, -1)) parts.unshift(at);
	for (let at = neighbour(file, local, 1); at !== undefined; at = neighbour(file, at, 1)) parts.push(at);
	return parts;
}

/** The next part in one direction. Others of its name are no parts, or those of another declaration. */
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

/** Behind the name of a hit. */
export function partNote(part: Hit["part"]): string {
	return part === undefined ? "" : ` (part ${part.index} of ${part.of})`;
}
