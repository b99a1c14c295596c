import type { CompiledSpec } from "../extract/compileSpec.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { splitTop, textOf } from "../tree/nodeText.ts";

/** Whether a function around a node has a parameter that is written like this: `w http.ResponseWriter`. */
export function hasParameter(tree: FlatTree, compiled: CompiledSpec, node: number, written: string): boolean {
	for (let at = tree.parent[node] ?? 0; at > 0; at = tree.parent[at] ?? 0) {
		const isFunction = ((compiled.roles[tree.type[at] ?? 0] ?? 0) & (ROLE.lambda | ROLE.definition)) !== 0;
		const list = isFunction ? compiled.pickParameters(tree, at) : -1;
		if (list >= 0 && splitTop(textOf(tree, list).slice(1, -1)).includes(written)) return true;
	}
	return false;
}
