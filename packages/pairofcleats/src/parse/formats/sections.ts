import type { Chunk, ChunkKind } from "../chunk.ts";
import { cutIntoBlocks, type LineIndex, TARGET_LINES, trimBlankLines } from "../chunkLines.ts";

/** A named run of lines that ends where the next section begins. */
export type Section = {
	readonly line: number;
	readonly name: string;
	readonly qualifiedName: string;
	/** Of one that begins a document of its own: the document's first line, which may be above the name. */
	readonly opens?: number;
};

/** Entries are grouped until a chunk is about this long. */
const GROUP_LINES = 40;

/** Limit on the symbols of one group, for a dictionary written on a single line. */
const MOST_SYMBOLS = 1_000;

/** A section this long is data nobody reads line by line, such as a lock file, so it is split into larger pieces. */
const HUGE_SECTION = 2_000;
const HUGE_PIECE = 400;

/** Cuts a text at its sections; the lines before the first section become plain blocks. */
export function chunkSections(lines: LineIndex, sections: readonly Section[], kind: ChunkKind): Chunk[] {
	const chunks: Chunk[] = [];
	const first = firstLine(sections[0]) ?? lines.count + 1;
	if (first > 1) chunks.push(...cutIntoBlocks(lines, { startLine: 1, endLine: first - 1 }));
	sections.forEach((section, index) => {
		const endLine = (firstLine(sections[index + 1]) ?? lines.count + 1) - 1;
		const range = trimBlankLines(lines, section.opens ?? section.line, endLine);
		if (!range) return;
		const target = range.endLine - range.startLine > HUGE_SECTION ? HUGE_PIECE : TARGET_LINES;
		const pieces = cutIntoBlocks(lines, range, target).map((block, at) => ({
			...block,
			kind,
			name: section.name,
			qualifiedName: section.qualifiedName,
			...(at === 0 && section.line > range.startLine && { nameLine: section.line }),
		}));
		for (const [at, piece] of pieces.entries()) {
			chunks.push(pieces.length > 1 ? { ...piece, part: { index: at + 1, of: pieces.length } } : piece);
		}
	});
	return chunks;
}

/** Groups short entries, and entries on the same line, into one section; all names but the first become its symbols. */
export function groupChunks(lines: LineIndex, entries: readonly Section[], kind: ChunkKind): Chunk[] {
	const groups: Section[][] = [];
	entries.forEach((entry, index) => {
		const group = groups.at(-1);
		const end = entries[index + 1]?.line ?? lines.count + 1;
		const short = end - (group?.[0]?.line ?? 0) <= GROUP_LINES || entry.line === group?.at(-1)?.line;
		if (group && short && entry.opens === undefined) group.push(entry);
		else groups.push([entry]);
	});
	const heads = groups.flatMap((group) => group.slice(0, 1));
	const symbols = new Map(groups.map((group) => [firstLine(group[0]), group.slice(1, MOST_SYMBOLS)]));
	return chunkSections(lines, heads, kind).map((chunk) => {
		const others = chunk.kind === kind && (chunk.part?.index ?? 1) === 1 ? symbols.get(chunk.startLine) : undefined;
		if (!others || others.length === 0) return chunk;
		return { ...chunk, symbols: others.map(({ name, line }) => ({ kind, name, line })) };
	});
}

function firstLine(section: Section | undefined): number | undefined {
	return section?.opens ?? section?.line;
}
