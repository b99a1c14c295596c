import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./found.ts";
import { rolesOf } from "./nodeType.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

/** The nodes around a definition that belong to it: `export`, `const`, decorators. */
export type Wrapping = {
	/** The node whose modifiers apply to the definition. */
	readonly around: number;
	/** The nodes in which the definition begins and ends. */
	readonly from: number;
	readonly to: number;
	/** Whether one declaration has several names: `const ( A = iota; B )`. */
	readonly group: boolean;
};

/** The outermost wrapper around a node, or the node itself. */
export function wrapperOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	let outer = node;
	for (let at = tree.parent[node] ?? -1; at > 0; at = tree.parent[at] ?? -1) {
		if ((rolesOf(tree, compiled, at) & ROLE.wrapper) === 0) break;
		outer = at;
	}
	return outer;
}

/**
 * The range of a definition. A wrapper around one definition is its range. In a wrapper around several, small ones
 * share the range of the first; each other one has its own range, and the first also has the words before it.
 */
export function wrappingOf(tree: FlatTree, compiled: CompiledSpec, { node, rule, callable }: Found): Wrapping {
	const around = wrapperOf(tree, compiled, node);
	if (around === node) return { around, from: node, to: node, group: false };
	const siblings = definitionsBeside(tree, compiled, node);
	if (siblings.length < 2) return { around, from: around, to: around, group: false };
	const first = siblings[0] === node;
	if (rule?.small && callable === node) {
		return first ? { around, from: around, to: around, group: true } : { around, from: node, to: node, group: true };
	}
	const opens = first && !tree.text.slice(tree.start[around], tree.start[node]).includes("\n");
	return { around, from: opens ? around : node, to: node, group: true };
}

function definitionsBeside(tree: FlatTree, compiled: CompiledSpec, node: number): number[] {
	const found: number[] = [];
	findChild(tree, tree.parent[node] ?? 0, (child) => {
		if (rolesOf(tree, compiled, child) & ROLE.definition) found.push(child);
		return found.length > 1 && child > node;
	});
	return found;
}
