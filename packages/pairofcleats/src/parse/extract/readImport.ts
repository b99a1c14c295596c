import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, shortenText, splitAtCommas, stripQuotes } from "../tree/nodeText.ts";
import { beginsWith, type CompiledSpec } from "./compileSpec.ts";
import { type FactSink, MAX_NAME } from "./factSink.ts";
import { importedNames } from "./importedNames.ts";
import { importedForms } from "./importForms.ts";

/** One statement may import a page of names. */
const MAX_IMPORT = 4_000;
const DEEPEST_IMPORT = 16;

export function readImport(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const rule = compiled.imports
		.get(tree.type[node] ?? 0)
		?.find(({ word }) => word === "" || beginsWith(tree, node, word));
	const named = rule?.pick ? rule.pick(tree, node) : rule ? node : -1;
	if (named < 0) return;
	if (compiled.spec.forms) {
		for (const name of importedForms(readNodeText(tree, named))) if (name.length <= MAX_NAME) sink.add("imports", name);
		return;
	}
	for (const [name, full] of importedNames(readNodeText(tree, node).slice(0, MAX_IMPORT)))
		sink.add("meanings", `${name}=${full}`);
	const text = shortenText(readNodeText(tree, named), MAX_IMPORT);
	for (const name of importNames(text)) sink.add("imports", name);
}

/** `use a::{b, c}` names `a::b` and `a::c`; `import x as y` names `x`, and Perl's `qw(A B)` both. */
function importNames(text: string): string[] {
	const bare = text
		.replace(
			/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:global\s+)?(?:import|use|using|from|package|require(?:_once)?|include(?:_once)?|@import|open|alias)\b\s*(?:static\s+|type\s+|function\s+|const\s+|namespace\s+|enum\s+|module\s+(?=\w))?/,
			"",
		)
		.replace(/^url(?=\()/, "")
		.replace(/\s\/\*.*?(?:\*\/|$)/g, "")
		.replace(/;\s*$/, "");
	const words = /^qw\s*[^\w\s](.*)\W$/.exec(bare)?.[1];
	if (words !== undefined) return words.split(" ").filter((name) => name !== "" && name.length <= MAX_NAME);
	if (/^["'`<(]/.test(bare)) return [stripQuotes(bare.replace(/^[(<]|[)>]$/g, ""))];
	return splitBraces(bare)
		.map((name) =>
			name
				.replace(/\s+as\s+.*$|\s*=>.*$/, "")
				.replace(/^\w+\s*=\s*/, "")
				.trim(),
		)
		.filter((name) => name !== "" && name.length <= MAX_NAME);
}

/** `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`; without braces, the names between commas. */
function splitBraces(text: string, depth = 0): string[] {
	return splitAtCommas(text).flatMap((part) => {
		const open = part.indexOf("{");
		if (open < 0 || depth > DEEPEST_IMPORT) return [part];
		const before = part.slice(0, open).trim();
		// Reads a truncated list as far as it goes.
		const inside = part.slice(open + 1).replace(/\}\s*$/, "");
		return splitBraces(inside, depth + 1).map((name) =>
			name.trim() === "self" ? before.replace(/[:.\\]+$/, "") : `${before}${name.trim()}`,
		);
	});
}
