import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, stripQuotes } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { findChild } from "./pick.ts";

type Listed = {
	/** The names that importers see: `a` and `c` of `{ a, b as c }`, `a` of `export default a`. */
	readonly names: readonly string[];
	/** What they are called in this file: `a` and `b`. None if the list is of another file. */
	readonly declared: readonly string[];
};

const DECLARATION = /^export\s+default\s+(?:@|(?:async\s+)?(?:function|class|abstract|interface|enum)\b)/;

const ASSIGNMENT = /^export\s*=/;

/** The exports of a list of names, of a default that is a name, or of `* as name`. */
export function listedExports(tree: FlatTree, { grammar }: CompiledSpec, list: number): Listed {
	const text = readNodeText(tree, list);
	if (text.startsWith("export")) {
		const names = /^export\s*(?:default\s|=)\s*([\w$\u00aa-\uffff]+)\s*;?$/.exec(text)?.slice(1) ?? [];
		// A value without a name: `export default { a }`. A declaration is exported by itself.
		if (names.length === 0 && !DECLARATION.test(text) && !ASSIGNMENT.test(text))
			return { names: ["default"], declared: [] };
		return { names, declared: names };
	}
	if (text.startsWith("*")) return { names: [stripQuotes(text.replace(/^\*\s*as\s+/, ""))], declared: [] };
	const childOf = (node: number, field: string): number =>
		findChild(tree, node, (child) => grammar.fields[tree.field[child] ?? 0] === field);
	const names: string[] = [];
	const declared: string[] = [];
	findChild(tree, list, (specifier) => {
		const name = childOf(specifier, "name");
		if (name < 0) return false;
		const alias = childOf(specifier, "alias");
		names.push(stripQuotes(readNodeText(tree, alias >= 0 ? alias : name)));
		declared.push(readNodeText(tree, name));
		return false;
	});
	const isOfAnotherFile = childOf(tree.parent[list] ?? 0, "source") >= 0;
	return { names, declared: isOfAnotherFile ? [] : declared };
}
