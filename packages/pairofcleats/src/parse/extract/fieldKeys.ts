import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { typeName } from "./nodeType.ts";

/** Whether a name is the field in a literal of a struct: `name` of `Server{name: n}`, not of `map[string]int{name: 1}`. */
export function isFieldKey(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const { fieldKeys } = compiled.spec;
	const key = tree.parent[node] ?? 0;
	if (!fieldKeys || compiled.grammar.fields[tree.field[key] ?? 0] !== "key") return false;
	const pair = tree.parent[key] ?? 0;
	if (typeName(tree, compiled, pair) !== fieldKeys.pair) return false;
	const literal = tree.parent[tree.parent[pair] ?? 0] ?? 0;
	// The type comes first; a literal inside another one has none.
	return !fieldKeys.keyed.includes(typeName(tree, compiled, literal + 1));
}
