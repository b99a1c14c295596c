import { isObject, type JsonObject } from "../contract/json.ts";
import type { RunResult } from "../run/runner.ts";
import { encodedIn, mediaOf, parted, withSize } from "./media.ts";

/** A block, and the same as a text names it: by its size, or with how to read it. */
export type NamedBlock = { readonly block: JsonObject; readonly named: JsonObject };

/** The images, audio, files and links of a tool's content. */
export function namedBlocks({ mcpResult, links = [] }: RunResult): readonly NamedBlock[] {
	const readable = links.values();
	return mediaOf(Array.isArray(mcpResult?.content) ? mcpResult.content.filter(isObject) : []).map((block) => {
		const isReadable = block.type === "resource_link" && typeof block.uri === "string";
		return { block, named: isReadable ? (readable.next().value ?? block) : withSize(block) };
	});
}

/** Those that are beside a structured value: none where the content is the value, and none that the value repeats. */
export function blocksBeside(result: RunResult): readonly NamedBlock[] {
	const blocks = result.mcpResult?.structuredContent === undefined ? [] : namedBlocks(result);
	if (blocks.length === 0) return [];
	const repeated = new Set(parted(result.structured).media.map(encodedIn));
	return blocks.filter(({ block }) => {
		const encoded = encodedIn(block);
		return encoded === undefined || !repeated.has(encoded);
	});
}
