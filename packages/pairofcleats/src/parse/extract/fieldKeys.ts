import type { FlatTree } from "../tree/flatTree.ts";
import { type CompiledSpec, isInitializer } from "./compileSpec.ts";
import { typeName } from "./nodeType.ts";

/** Whether a name is a member that is given its value: `Name` of C#'s `new User { Name = name }`. */
export function isInitialized(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	if (!compiled.spec.initializers || typeName(tree, compiled, tree.until[node] ?? 0) !== "=") return false;
	return isInitializer(tree, compiled.lists, node) || isInitializer(tree, compiled.lists, tree.parent[node] ?? 0);
}

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
