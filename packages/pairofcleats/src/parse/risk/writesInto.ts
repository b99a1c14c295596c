import type { CompiledSpec } from "../extract/compileSpec.ts";
import { rolesOf } from "../extract/nodeType.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { splitTop, textOf } from "../tree/nodeText.ts";
import { argumentAt, argumentList } from "./callArguments.ts";
import type { RiskSink } from "./rules.ts";

/** Whether a call writes to what its sink is about: Go's `fmt.Fprintf(w, …)` to the response. */
export function writesInto(tree: FlatTree, compiled: CompiledSpec, call: number, { into }: RiskSink): boolean {
	if (into === undefined) return true;
	const to = argumentAt(tree, compiled, argumentList(tree, compiled, call), 0);
	return to >= 0 && hasParameter(tree, compiled, call, `${textOf(tree, to)} ${into}`);
}

/** Whether a function around a node has a parameter that is written like this: `w http.ResponseWriter`. */
function hasParameter(tree: FlatTree, compiled: CompiledSpec, node: number, written: string): boolean {
	for (let at = tree.parent[node] ?? 0; at > 0; at = tree.parent[at] ?? 0) {
		const isFunction = (rolesOf(tree, compiled, at) & (ROLE.lambda | ROLE.definition)) !== 0;
		const list = isFunction ? compiled.pickParameters(tree, at) : -1;
		if (list >= 0 && splitTop(textOf(tree, list).slice(1, -1)).includes(written)) return true;
	}
	return false;
}
