import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText } from "../tree/nodeText.ts";
import { beginsWith, type CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./found.ts";
import { calleeText } from "./names.ts";
import { findChild } from "./pick.ts";

/** A symbol or a string without parts that are computed: `:name`, `"name"`. */
const LITERAL = /^(?::|(["']))(\w+[!?=]?)\1$/;

/** `define_method(:name) { … }`: a call that defines what its first argument names. */
export function recogniseCalled(tree: FlatTree, compiled: CompiledSpec, node: number): Found | undefined {
	const { definingCalls } = compiled.spec;
	// Almost every call is another one, and most of them begin with another word.
	if (!definingCalls?.names.some((name) => beginsWith(tree, node, name))) return undefined;
	if (!definingCalls.names.includes(calleeText(tree, compiled, node))) return undefined;
	const list = childAt(tree, compiled, node, "arguments");
	const nameNode =
		list < 0 ? -1 : findChild(tree, list, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false);
	const name = nameNode < 0 ? undefined : LITERAL.exec(readNodeText(tree, nameNode))?.[2];
	if (name === undefined) return undefined;
	const block = childAt(tree, compiled, node, "block");
	return {
		node,
		kind: definingCalls.kind,
		name,
		owner: "",
		nameNode,
		callable: block < 0 ? node : block,
		rule: undefined,
		container: false,
	};
}

function childAt(tree: FlatTree, { grammar }: CompiledSpec, node: number, field: string): number {
	return findChild(tree, node, (child) => grammar.fields[tree.field[child] ?? 0] === field);
}
