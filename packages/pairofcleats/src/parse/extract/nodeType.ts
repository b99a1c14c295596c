import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";

/** What the node is by its type, as bits of `ROLE`. */
export function rolesOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	return compiled.roles[tree.type[node] ?? 0] ?? 0;
}

/** The name of the node's type in its grammar; of a token its text. */
export function typeName(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	return compiled.grammar.types[tree.type[node] ?? 0] ?? "";
}
