import type { ProseChunk } from "../../chunk.ts";
import type { LineIndex } from "../../chunkLines.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { readNodeText } from "../../tree/nodeText.ts";

/** Comments and decorators directly before a line. */
export type Lead = { startLine: number; endLine: number; end: number; comments: string[]; decorators: string[] };

const MAX_DOCSTRING = 4_000;
const MAX_PROSE = 20_000;

/** Gathers a file's comments, both as prose chunks and as documentation of the next definition. */
export class Comments {
	readonly #tree: FlatTree;
	readonly #lines: LineIndex;
	readonly #prose: { startLine: number; endLine: number; text: string }[] = [];
	#lead: Lead | undefined;

	constructor(tree: FlatTree, lines: LineIndex) {
		this.#tree = tree;
		this.#lines = lines;
	}

	add(node: number): void {
		const text = cleanComment(readNodeText(this.#tree, node));
		// The line that names a script's interpreter does not document the code below it.
		const names = this.#tree.start[node] === 0 && this.#tree.text.startsWith("#!");
		this.lead(node, "comments", names ? "" : text);
		this.#addProse(node, text);
	}

	/** Extends the run of leading lines, or begins a new one. A comment after code on the same line is not a lead. */
	lead(node: number, kind: "comments" | "decorators", text: string = readNodeText(this.#tree, node)): void {
		const start = this.#tree.start[node] ?? 0;
		const startLine = this.#lines.lineAt(start);
		const end = this.#tree.end[node] ?? 0;
		const endLine = this.#lines.lineAt(Math.max(start, end - 1));
		const run = this.#lead;
		const continues = run !== undefined && startLine <= run.endLine + 1 && this.#isBlank(run.end, start);
		if (!continues && this.#tree.text.slice(this.#lines.startOf(startLine), start).trim() !== "") return;
		const lead = continues ? run : { startLine, endLine, end, comments: [], decorators: [] };
		lead.endLine = Math.max(endLine, lead.endLine);
		lead.end = Math.max(end, lead.end);
		lead[kind].push(text);
		this.#lead = lead;
	}

	/** The lead of the code that begins at an offset of a line. */
	leadBefore(line: number, start: number, takenLine: number): Lead | undefined {
		const run = this.#lead;
		if (!run || run.startLine <= takenLine || run.endLine < line - 1 || run.startLine > line) return undefined;
		// A decorator that is part of the code on its first line leads nothing.
		if (run.startLine === line && run.end > start) return undefined;
		// A decorator with code after it on its line decorates that code, and nothing below.
		return this.#isBlank(run.end, start) ? run : undefined;
	}

	#isBlank(from: number, to: number): boolean {
		return to <= from || this.#tree.text.slice(from, to).trim() === "";
	}

	docstring(lead: Lead | undefined, inner: string): string {
		return (inner !== "" ? inner : (lead?.comments.join("\n").trimStart() ?? "")).slice(0, MAX_DOCSTRING);
	}

	addDocstring(node: number, written = readNodeText(this.#tree, node)): string {
		const text = dedented(written.replace(/^[a-zA-Z]{0,2}("""|'''|"|')([\s\S]*)\1$/, "$2"));
		this.#addProse(node, text);
		return text;
	}

	prose(): readonly ProseChunk[] {
		return this.#prose.filter((chunk) => chunk.text !== "");
	}

	#addProse(node: number, text: string): void {
		const start = this.#tree.start[node] ?? 0;
		const startLine = this.#lines.lineAt(start);
		const endLine = this.#lines.lineAt(Math.max(start, (this.#tree.end[node] ?? 0) - 1));
		const last = this.#prose.at(-1);
		if (last && startLine <= last.endLine + 1 && last.text.length < MAX_PROSE) {
			last.endLine = Math.max(endLine, last.endLine);
			if (text !== "") last.text = last.text === "" ? text : `${last.text}\n${text}`;
		} else this.#prose.push({ startLine, endLine, text: text.slice(0, MAX_PROSE) });
	}
}

/** Removes the indentation that all lines after the first share. */
function dedented(text: string): string {
	const [first = "", ...others] = text.split("\n").map((line) => line.trimEnd());
	const depth = others.reduce((least, line) => (line === "" ? least : Math.min(least, line.search(/\S/))), Infinity);
	return [first.trimStart(), ...others.map((line) => line.slice(depth))].join("\n").trim();
}

/** The words of a comment, without its markers. */
export function cleanComment(text: string): string {
	return text
		.replace(/^\s*(?:\/\*[*!]?|<!--|\(\*+|\{-\s*\|?|=begin)/, "")
		.trimEnd()
		.replace(/(?:(?<!\*)\*+[/)]|-->|-\}|=end)$/, "")
		.split("\n")
		.map((line) => line.replace(/^\s*(?:\/\/[/!]?|#+!?|--+|;+|\*(?!\w)|%+)?[ \t]?/, "").trimEnd())
		.join("\n")
		.trim();
}
