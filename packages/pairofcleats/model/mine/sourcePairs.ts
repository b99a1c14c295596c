import type { Chunk, ParsedFile } from "../../src/parse/chunk.ts";
import { splitIdentifier } from "../../src/tokens/words.ts";
import { gist, isQuestion, type Pair } from "./pair.ts";

const DEFINITIONS: ReadonlySet<string> = new Set(
	"function method constructor class interface struct enum trait impl type macro test".split(" "),
);
const INLINE_LINES = 10;
const HEADER_LINES = 15;
const LONGEST_CODE = 6_000;

/** What one parsed file teaches: its comments, names, tests and place in the tree, each with the code they speak of. */
export function sourcePairs(path: string, text: string, parsed: ParsedFile, isTest: boolean): Pair[] {
	const lines = text.split("\n");
	const commented = commentLines(parsed);
	const pairs: Pair[] = [];
	const add = (kind: Pair["kind"], query: string, code: string) => {
		if (query !== "" && code.length > 40) pairs.push({ kind, query, code: code.slice(0, LONGEST_CODE), path });
	};
	for (const [index, chunk] of parsed.chunks.entries()) {
		const body = codeOf(chunk, lines, commented);
		if (DEFINITIONS.has(chunk.kind)) {
			const doc = chunk.facts?.docstring;
			if (doc !== undefined && isQuestion(doc)) add("doc", gist(doc), body);
			const named = splitIdentifier(chunk.name);
			// A name that stands in its own body would answer for it.
			const unnamed = body.replaceAll(chunk.name, " ");
			if (chunk.kind === "test" || (isTest && named.length >= 4)) add("test", chunk.name, unnamed);
			else if (named.length >= 2) add("name", chunk.name, unnamed);
		}
		if (index % 6 === 0 && !isTest)
			add(
				"path",
				path
					.split("/")
					.slice(-2)
					.join(" ")
					.replace(/\.\w+$/, ""),
				body,
			);
	}
	for (const comment of parsed.prose) {
		if (!isQuestion(comment.text)) continue;
		const inside = parsed.chunks.find(
			(chunk) => chunk.startLine < comment.startLine && comment.endLine < chunk.endLine,
		);
		if (comment.startLine <= HEADER_LINES && inside === undefined) add("file", gist(comment.text), skeleton(parsed));
		else if (inside !== undefined) {
			const end = Math.min(inside.endLine, comment.endLine + INLINE_LINES);
			add("inline", gist(comment.text), slice(lines, comment.endLine + 1, end, commented));
		}
	}
	return pairs;
}

function commentLines(parsed: ParsedFile): Set<number> {
	const found = new Set<number>();
	for (const { startLine, endLine } of parsed.prose)
		for (let line = startLine; line <= endLine; line++) found.add(line);
	return found;
}

function codeOf(chunk: Chunk, lines: readonly string[], commented: ReadonlySet<number>): string {
	return slice(lines, chunk.startLine, chunk.endLine, commented);
}

function slice(lines: readonly string[], from: number, to: number, without: ReadonlySet<number>): string {
	const kept: string[] = [];
	for (let line = from; line <= to; line++) if (!without.has(line)) kept.push(lines[line - 1] ?? "");
	return kept.join("\n");
}

function skeleton(parsed: ParsedFile): string {
	return parsed.chunks.map((chunk) => chunk.facts?.signature ?? chunk.name).join("\n");
}
