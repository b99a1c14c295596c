import type { Chunk, ParsedFile } from "./chunk.ts";
import { type LineIndex, type LineRange, trimBlankLines } from "./chunkLines.ts";
import type { CompiledSpec } from "./extract/spec/compileSpec.ts";
import { findChild } from "./extract/spec/pick.ts";
import type { EmbeddedRule } from "./specs/spec.ts";
import type { FlatTree } from "./tree/flatTree.ts";
import { readNodeText } from "./tree/nodeText.ts";

/** Whole lines of another language: a script or a style in a page. */
export type EmbeddedLines = LineRange & { readonly rule: EmbeddedRule };

/** In one page, further scripts are treated as text. */
const MOST_EMBEDDED = 100;

/**
 * The embedded scripts and styles of a page. One that shares its first or last line with its tags stays part of the
 * page.
 */
export function findEmbeddedLines(tree: FlatTree, { spec, grammar }: CompiledSpec, lines: LineIndex): EmbeddedLines[] {
	const found: EmbeddedLines[] = [];
	for (let node = 1; spec.embedded && node < tree.count && found.length < MOST_EMBEDDED; node += 1) {
		const type = grammar.types[tree.type[node] ?? 0];
		if (!spec.embedded.some(({ element }) => element === type)) continue;
		const content = findChild(tree, node, (child) => grammar.types[tree.type[child] ?? 0] === "raw_text");
		const rule = spec.embedded.find(({ element, tag }) => element === type && tag.test(readNodeText(tree, node + 1)));
		if (content < 0 || !rule) continue;
		const [start, end] = [tree.start[content] ?? 0, tree.end[content] ?? 0];
		const [first, last] = [lines.lineAt(start), lines.lineAt(end)];
		const alone =
			tree.text.slice(start, lines.endOf(first)).trim() === "" &&
			tree.text.slice(lines.startOf(last), end).trim() === "";
		const inside = { startLine: first + 1, endLine: last - 1, rule };
		if (alone && trimBlankLines(lines, inside.startLine, inside.endLine)) found.push(inside);
	}
	return found;
}

/** The page with the embedded chunks in place of their lines. */
export function insertEmbedded(page: ParsedFile, at: LineRange, inner: ParsedFile, lines: LineIndex): ParsedFile {
	const down = at.startLine - 1;
	const offset = lines.startOf(at.startLine);
	const before = page.chunks.flatMap((chunk) => cut(chunk, lines, 1, at.startLine - 1));
	const after = page.chunks.flatMap((chunk) => cut(chunk, lines, at.endLine + 1, lines.count));
	const moved = <T extends { readonly line: number }>(list: readonly T[]): T[] =>
		list.map((one) => ({ ...one, line: one.line + down }));
	const chunks = inner.chunks.map((chunk) => ({
		...chunk,
		...{ startLine: chunk.startLine + down, endLine: chunk.endLine + down },
		...{ start: chunk.start + offset, end: chunk.end + offset },
		...(chunk.nameLine !== undefined && { nameLine: chunk.nameLine + down }),
		...(chunk.extentEndLine !== undefined && { extentEndLine: chunk.extentEndLine + down }),
		...(chunk.symbols && { symbols: moved(chunk.symbols) }),
	}));
	const prose = inner.prose.map((text) => ({
		...text,
		startLine: text.startLine + down,
		endLine: text.endLine + down,
	}));
	return {
		...page,
		imports: [...new Set([...page.imports, ...inner.imports])],
		exports: [...new Set([...page.exports, ...inner.exports])],
		chunks: [...before, ...chunks, ...after],
		prose: [...page.prose, ...prose].sort((a, b) => a.startLine - b.startLine),
		parseErrors: [...page.parseErrors, ...moved(inner.parseErrors)],
	};
}

/** The part of a chunk in a range of lines. Only the part with a declaration's first line keeps its name. */
function cut(chunk: Chunk, lines: LineIndex, from: number, to: number): Chunk[] {
	if (chunk.startLine >= from && chunk.endLine <= to) return [chunk];
	const range = trimBlankLines(lines, Math.max(chunk.startLine, from), Math.min(chunk.endLine, to));
	if (!range) return [];
	const place = { ...range, start: lines.startOf(range.startLine), end: lines.endOf(range.endLine) };
	const { symbols, part, extentEndLine, ...rest } = chunk;
	const held = symbols?.filter(({ line }) => line >= range.startLine && line <= range.endLine) ?? [];
	const named = range.startLine === chunk.startLine && chunk.kind !== "block";
	return [
		{
			...rest,
			...place,
			...(named
				? { ...(extentEndLine !== undefined && { extentEndLine }), ...(part && { part }) }
				: { kind: "block", name: "" }),
			...(held.length > 0 && { symbols: held }),
		},
	];
}
