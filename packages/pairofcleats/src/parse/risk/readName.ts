import type { CompiledSpec } from "../extract/compileSpec.ts";
import { nameOf } from "../extract/names.ts";
import { rolesOf } from "../extract/nodeType.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { chainOf, placeOf, textOf } from "../tree/nodeText.ts";

/** No name that is followed is longer. */
const LONGEST_NAME = 200;

/** What a node reads: the name that may be tainted, and the chain that a source may be known by, if it can be one. */
export type ReadName = { readonly name: string; readonly chain: string };

export function readName(tree: FlatTree, compiled: CompiledSpec, node: number, role: number): ReadName | undefined {
	const text = textOf(tree, node);
	if (text.length > LONGEST_NAME) return undefined;
	const isIndex = (role & ROLE.index) !== 0;
	const name = isIndex || text.startsWith("(") ? placeOf(text) : (chainOf(nameOf(tree, compiled, node)) ?? "");
	return { name, chain: isMemberName(tree, compiled, node) ? "" : isIndex ? byStringIndex(text) : name };
}

/** In `x.params`, `params` is a member, not the variable of that name. */
function isMemberName(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.parent[node] ?? 0;
	const role = rolesOf(tree, compiled, above);
	return (role & ROLE.member) !== 0 && tree.until[node] === tree.until[above] && node !== above;
}

/** `req["body"]` is `req.body`. */
function byStringIndex(text: string): string {
	return chainOf(text.replace(/\??\.?\[\s*(["'])([\w$]+)\1\s*\]/g, ".$2")) ?? placeOf(text);
}
