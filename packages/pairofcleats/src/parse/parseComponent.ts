import type { Chunk, ParsedFile } from "./chunk.ts";
import { blocksOf } from "./chunkLines.ts";
import { componentBlocks } from "./componentBlocks.ts";
import { withEmbedded } from "./embedded.ts";
import { LineIndex } from "./lineIndex.ts";
import { parseGrammar } from "./parseGrammar.ts";
import type { RiskRules } from "./risk/rules.ts";
import { COMPONENTS, type ComponentName } from "./specs/components.ts";

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
	const blocks = componentBlocks(lines, COMPONENTS[format]);
	const cuts = blocks.flatMap(({ startLine, endLine }) => [startLine, endLine + 1]);
	const chunks = [1, ...cuts].flatMap((startLine, index) =>
		blocksOf(lines, { startLine, endLine: (cuts[index] ?? lines.count + 1) - 1 }),
	);
	let page: ParsedFile = {
		...{ language: format, imports: [], exports: [], prose: [], parseErrors: [] },
		...{ chunks, method: "lines" },
	};
	for (const block of blocks) {
		const inner = await parseGrammar(block.grammar, block.grammar, block.text, rules);
		if (inner) page = { ...withEmbedded(page, block, inner, lines), method: "grammar" };
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
