import type { CompiledSpec } from "../extract/compileSpec.ts";
import { typeName } from "../extract/nodeType.ts";
import { findChild } from "../extract/pick.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { textOf, unquote } from "../tree/nodeText.ts";

/** What a destructuring reads, and the node it goes to. */
export type Unpacked = { readonly chain: string; readonly target: number };

/** No rule's pattern is longer. */
const LONGEST_CHAIN = 160;

/** `const { body: { name } } = req` reads `req.body` and `req.body.name`; nothing if `left` is no such pattern. */
export function* unpacked(tree: FlatTree, compiled: CompiledSpec, left: number, from: string): Generator<Unpacked> {
	if (tree.text[tree.start[left] ?? 0] !== "{") return;
	const end = tree.until[left] ?? 0;
	for (let member = left + 1; member < end; member = tree.until[member] ?? end) {
		const target = assigned(tree, compiled, fieldOf(tree, compiled, member, "value"));
		const chain = `${from}.${keyOf(tree, compiled, member)}`;
		if (!/^[\w$.]+$/.test(chain) || chain.length > LONGEST_CHAIN) continue;
		yield { chain, target };
		yield* unpacked(tree, compiled, target, chain);
	}
}

/** Whether a node is the default of a destructuring, which is read and not assigned: `other` in `{ name = other }`. */
export function isDefault(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	const isRight = compiled.grammar.fields[tree.field[node] ?? 0] === "right";
	return isRight && (compiled.grammar.types[above] ?? "").endsWith("assignment_pattern");
}

function keyOf(tree: FlatTree, compiled: CompiledSpec, member: number): string {
	const key = fieldOf(tree, compiled, member, "key");
	return unquote(textOf(tree, assigned(tree, compiled, key)));
}

/** The pattern before a default. */
function assigned(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const type = typeName(tree, compiled, node);
	return type.endsWith("assignment_pattern") ? fieldOf(tree, compiled, node, "left") : node;
}

/** The node itself if it has no such field: in `{ body }` key and value are one. */
function fieldOf(tree: FlatTree, compiled: CompiledSpec, node: number, name: string): number {
	const child = findChild(tree, node, (one) => compiled.grammar.fields[tree.field[one] ?? 0] === name);
	return child < 0 ? node : child;
}
