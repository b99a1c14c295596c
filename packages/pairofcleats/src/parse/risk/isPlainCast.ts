import type { CompiledSpec } from "../extract/compileSpec.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { textOf } from "../tree/nodeText.ts";
import { isPlainType } from "./isPlainType.ts";

/** Whether a node makes a number or the like of a value: PHP's `(int) $id`. */
export function isPlainCast(tree: FlatTree, { spec, grammar }: CompiledSpec, node: number): boolean {
	if (spec.cast === undefined || grammar.types[tree.type[node] ?? 0] !== spec.cast) return false;
	return isPlainType(/^\(([^)]*)\)/.exec(textOf(tree, node))?.[1] ?? "");
}
