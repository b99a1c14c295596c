import { gist, isQuestion, type Pair } from "./pair.ts";

const FENCE = /^[^\n]*\n```\w*\n([\s\S]*?)\n```/;
const MENTION = /`([A-Za-z_][\w.]{3,})(?:\(\))?`/g;

/** A paragraph and the block of code under it; a sentence that names a definition, and that definition. */
export function markdownPairs(
	path: string,
	text: string,
	definitions: ReadonlyMap<string, { code: string; path: string }>,
): Pair[] {
	const pairs: Pair[] = [];
	const paragraphs = text.split(/\n\s*\n/);
	for (const [index, paragraph] of paragraphs.entries()) {
		if (!isQuestion(paragraph) || paragraph.startsWith("```") || paragraph.includes("](http")) continue;
		const block = FENCE.exec(`\n${paragraphs[index + 1] ?? ""}`)?.[1];
		if (block !== undefined && block.length > 60)
			pairs.push({ kind: "mdcode", query: gist(paragraph), code: block, path });
		for (const sentence of paragraph.split(/(?<=[.!?])\s+/)) {
			for (const [mention, name = ""] of sentence.matchAll(MENTION)) {
				const definition = definitions.get(name.split(".").at(-1) ?? "");
				const query = sentence.replaceAll(mention, " ");
				if (definition !== undefined && isQuestion(query)) {
					pairs.push({ kind: "mdmention", query: query.slice(0, 300), code: definition.code, path: definition.path });
				}
			}
		}
	}
	return pairs;
}
