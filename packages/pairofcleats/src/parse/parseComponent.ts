import type { Chunk, ParsedFile } from "./chunk.ts";
import { cutIntoBlocks, LineIndex } from "./chunkLines.ts";
import { insertEmbedded } from "./embedded.ts";
import { parseGrammar } from "./parseGrammar.ts";
import type { RiskRules } from "./risk/rules/rules.ts";
import { COMPONENTS, type ComponentName, type ComponentSpec } from "./specs/components.ts";
import { lookUpOwn } from "./tree/nodeText.ts";

/** A component's tag, with comments before it, has at most this many lines. */
const LONGEST_TAG = 8;

/** Reads a component: its scripts and styles with their grammars, its markup by lines, the whole under its file's name. */
export async function parseComponent(
	format: ComponentName,
	path: string,
	text: string,
	rules: RiskRules | undefined,
): Promise<ParsedFile> {
	const lines = new LineIndex(text);
	const blocks = listComponentBlocks(lines, COMPONENTS[format]);
	const cuts = blocks.flatMap(({ startLine, endLine }) => [startLine, endLine + 1]);
	const chunks = [1, ...cuts].flatMap((startLine, index) =>
		cutIntoBlocks(lines, { startLine, endLine: (cuts[index] ?? lines.count + 1) - 1 }),
	);
	let page: ParsedFile = {
		...{ language: format, imports: [], exports: [], prose: [], parseErrors: [] },
		...{ chunks, method: "lines" },
	};
	for (const block of blocks) {
		const inner = await parseGrammar(block.grammar, block.grammar, block.text, rules);
		if (inner) page = { ...insertEmbedded(page, block, inner, lines), method: "grammar" };
	}
	return { ...page, chunks: named(page.chunks, path) };
}

/**
 * Names the first lines after the component: its tag, imports and properties stand for it, like the head of a class.
 */
function named(chunks: readonly Chunk[], path: string): Chunk[] {
	const at = chunks.findIndex(({ kind }) => kind === "block");
	const first = chunks[at];
	if (!first) return [...chunks];
	const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
	const next = chunks[at + 1];
	const isTag = !first.facts && first.endLine - first.startLine < LONGEST_TAG && next?.kind === "block" && next.facts;
	const { startLine, start } = first;
	const whole: Chunk = {
		...(isTag ? { ...next, startLine, start } : first),
		...{ kind: "module", name, qualifiedName: name },
		extentEndLine: chunks.at(-1)?.endLine ?? first.endLine,
	};
	return [...chunks.slice(0, at), whole, ...chunks.slice(at + (isTag ? 2 : 1))];
}

/** Whole lines of a script or a style; `text` has blanks where its tags share lines with it. */
export type ComponentBlock = {
	readonly startLine: number;
	readonly endLine: number;
	readonly text: string;
	readonly grammar: string;
};

/** In one component, further scripts and styles are treated as text. */
const MOST_BLOCKS = 100;
/** A longer run is not a tag. After MOST_BROKEN_TAGS of them, no further tags are read. */
const LONGEST_OPENING_TAG = 4_000;
const MOST_BROKEN_TAGS = 100;
/** Only at the start of a line, where a template's expressions and strings rarely have a tag. */
const OPENING = /<!--|^[ \t\uFEFF]*<(script|style)(?=[\s/>])/gim;
const REST_OF_TAG = /(?:[^>"'{]|"[^"]*"|'[^']*'|\{[^}]*\})*>/y;
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const FRONTMATTER = /^\s*---[ \t]*(?=\r?\n)/;

/** The scripts and styles of a component, in order. Those that share lines with markup count as markup. */
export function listComponentBlocks(lines: LineIndex, spec: ComponentSpec): ComponentBlock[] {
	const { text } = lines;
	const blocks: ComponentBlock[] = [];
	const add = (element: Range, content: Range, grammar: string | undefined): void => {
		const block = grammar && blockOf(lines, element, content, grammar);
		if (block && block.startLine > (blocks.at(-1)?.endLine ?? 0)) blocks.push(block);
	};
	let at = 0;
	const front = spec.frontmatter && frontmatterOf(text);
	if (front) {
		add(front.element, front.content, spec.frontmatter);
		at = front.element.end;
	}
	const unclosed = new Set<string>();
	let broken = 0;
	while (blocks.length < MOST_BLOCKS && broken < MOST_BROKEN_TAGS) {
		OPENING.lastIndex = at;
		const opening = OPENING.exec(text);
		if (!opening) break;
		const name = opening[1]?.toLowerCase();
		at = OPENING.lastIndex;
		if (name === undefined) {
			const end = text.indexOf("-->", at);
			if (end < 0) break;
			at = end + 3;
			continue;
		}
		const start = tagEnd(text, at);
		if (start < 0) broken += 1;
		if (start < 0 || unclosed.has(name)) continue;
		const tag = text.slice(at, start - 1);
		at = start;
		if (tag.endsWith("/")) continue;
		const closing = closingOf(text, name, start);
		if (!closing) {
			unclosed.add(name);
			continue;
		}
		at = closing.end;
		const grammars = name === "script" ? spec.script : spec.style;
		add(
			{ start: opening.index, end: closing.end },
			{ start, end: closing.start },
			lookUpOwn(grammars, languageOf(tag)),
		);
	}
	return blocks;
}

type Range = { readonly start: number; readonly end: number };

function frontmatterOf(text: string): { element: Range; content: Range } | undefined {
	const opening = FRONTMATTER.exec(text);
	if (!opening) return undefined;
	const start = opening[0].length;
	const closing = /^[ \t]*---/m.exec(text.slice(start));
	if (!closing) return undefined;
	const end = start + closing.index;
	return { element: { start: 0, end: end + closing[0].length }, content: { start, end } };
}

/** Offset after the `>` of the tag whose name ends at `from`; -1 if there is none. */
function tagEnd(text: string, from: number): number {
	const tag = text.slice(from, from + LONGEST_OPENING_TAG);
	REST_OF_TAG.lastIndex = 0;
	return REST_OF_TAG.test(tag) ? from + REST_OF_TAG.lastIndex : -1;
}

function closingOf(text: string, name: string, from: number): Range | undefined {
	const closing = name === "script" ? /<\/script(?=[\s/>])[^>]*>?/gi : /<\/style(?=[\s/>])[^>]*>?/gi;
	closing.lastIndex = from;
	const found = closing.exec(text);
	return found ? { start: found.index, end: closing.lastIndex } : undefined;
}

/** `ts` of `lang="ts"` or `type="text/typescript"`, empty if there is neither. */
function languageOf(tag: string): string {
	const attributes = new Map(
		[...tag.matchAll(ATTRIBUTE)].map(([, name = "", ...values]) => [
			name.toLowerCase(),
			values.find((value) => value !== undefined) ?? "",
		]),
	);
	const written = attributes.get("lang") ?? attributes.get("type") ?? "";
	return written.toLowerCase().replace(/^(?:text|application)\/(?:x-)?/, "");
}

function blockOf(lines: LineIndex, element: Range, content: Range, grammar: string): ComponentBlock | undefined {
	const { text } = lines;
	const [first, last] = [lines.lineAt(content.start), lines.lineAt(content.end)];
	const isBlank = (from: number, to: number): boolean => text.slice(from, to).trim() === "";
	const startLine = isBlank(content.start, lines.endOf(first)) ? first + 1 : first;
	const endLine = isBlank(lines.startOf(last), content.end) ? last - 1 : last;
	if (!/[\p{L}\p{N}]/u.test(text.slice(content.start, content.end))) return undefined;
	const [from, to] = [lines.startOf(startLine), lines.endOf(endLine)];
	// Other text on the block's lines would become part of the block.
	if (from < content.start && !isBlank(from, element.start)) return undefined;
	if (to > content.end && !isBlank(element.end, to)) return undefined;
	const before = " ".repeat(Math.max(0, content.start - from));
	const inside = text.slice(Math.max(from, content.start), Math.min(to, content.end));
	return { startLine, endLine, text: before + inside + " ".repeat(Math.max(0, to - content.end)), grammar };
}
