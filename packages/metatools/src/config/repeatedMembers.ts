import type * as Jsonc from "jsonc-parser";
import { isObject } from "../contract/json.ts";
import { jsonc } from "./writtenJson.ts";

/** Paths of members that occur more than once in a JSON text. `value` is the parsed text, which has only the last of each. */
export function repeatedMembers(text: string, value: unknown): readonly (readonly string[])[] {
	// Each member has one colon, so more colons than members means that some were dropped.
	const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
	return colons === memberCount(value) ? [] : repeatedIn(jsonc().parseTree(text, [], { allowTrailingComma: true }), []);
}

function memberCount(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	const inner = Object.values(value);
	return inner.reduce((sum: number, item) => sum + memberCount(item), isObject(value) ? inner.length : 0);
}

function repeatedIn(node: Jsonc.Node | undefined, path: readonly string[]): readonly (readonly string[])[] {
	const children = node?.children ?? [];
	if (node?.type === "array") return children.flatMap((item, index) => repeatedIn(item, [...path, String(index)]));
	if (node?.type !== "object") return [];
	const paths = children.map(({ children: [key] = [] }) => [...path, String(key?.value)]);
	const seen = new Set<string | undefined>();
	const repeated = paths.filter((member) => seen.has(member.at(-1)) || !seen.add(member.at(-1)));
	return [...repeated, ...children.flatMap((member, index) => repeatedIn(member.children?.[1], paths[index] ?? path))];
}
