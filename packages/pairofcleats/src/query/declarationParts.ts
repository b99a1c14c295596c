import { CHUNK_KINDS, isFunctionLike } from "../parse/chunk.ts";
import type { Hit } from "../repo/result.ts";
import type { SnapshotFile } from "../store/snapshot.ts";

/** A part but the last has as many lines or characters, and the last two together have as many lines. */
const LEAST_LINES = 25;
const LEAST_CHARACTERS = 8_000;
const LEAST_OF_TWO = 75;

/**
 * The chunks, by their number in the segment, of the declaration that a chunk is of: a long one comes in several, and one
 * with functions of their own in it is interrupted by them.
 */
export function declarationParts(file: SnapshotFile, local: number): readonly number[] {
	if (file.segment.names().at(local) === "") return [local];
	const parts = [local];
	for (let at = partBefore(file, local); at !== undefined; at = partBefore(file, at)) parts.unshift(at);
	for (let at = partAfter(file, local); at !== undefined; at = partAfter(file, at)) parts.push(at);
	return parts;
}

function partBefore(file: SnapshotFile, local: number): number | undefined {
	const at = neighbour(file, local, -1);
	return at !== undefined && (at < local - 1 || areParts(file, at)) ? at : undefined;
}

function partAfter(file: SnapshotFile, local: number): number | undefined {
	const at = neighbour(file, local, 1);
	return at !== undefined && (at > local + 1 || areParts(file, local)) ? at : undefined;
}

/** The next chunk in one direction, inner functions left out, if it is of the same name. */
function neighbour(file: SnapshotFile, local: number, step: 1 | -1): number | undefined {
	const { columns, qualifiedNames, signatures } = file.segment;
	const name = qualifiedNames().at(local);
	const canHold = isFunctionLike(CHUNK_KINDS[columns.kind[local] ?? 0] ?? "block");
	const end = file.firstDoc + file.docs;
	for (let at = local + step; at >= file.firstDoc && at < end; at += step) {
		const other = qualifiedNames().at(at);
		if (other === name && columns.kind[at] === columns.kind[local])
			return signatures().at(at) === signatures().at(local) ? at : undefined;
		if (!canHold || !other.startsWith(`${name}.`)) return undefined;
	}
	return undefined;
}

/** Whether a chunk and the next, of the same name, are one declaration, and not two side by side. */
function areParts({ segment: { columns } }: SnapshotFile, local: number): boolean {
	const lines = (from: number, to: number): number => (columns.endLine[to] ?? 0) - (columns.startLine[from] ?? 0) + 1;
	const next = local + 1;
	if ((columns.end[local] ?? 0) - (columns.start[local] ?? 0) >= LEAST_CHARACTERS) return true;
	return lines(local, local) >= LEAST_LINES && (lines(next, next) >= LEAST_LINES || lines(local, next) >= LEAST_OF_TWO);
}

/** Behind the name of a hit. */
export function partNote(part: Hit["part"]): string {
	return part === undefined ? "" : ` (part ${part.index} of ${part.of})`;
}
