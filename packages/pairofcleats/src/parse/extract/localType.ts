import { isFunctionLike } from "../chunk.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { textOf } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./recogniseDefinition.ts";
import { isLocal, type Scope } from "./scope.ts";

/** The type inside the function under way that a function is written in: such types have no scope of their own. */
export function localTypeOf(
	tree: FlatTree,
	compiled: CompiledSpec,
	scope: Scope,
	{ node, kind }: Found,
): string | undefined {
	if (kind !== "function" || !isLocal(scope)) return undefined;
	const { type, parent } = tree;
	for (let at = parent[node] ?? 0; at > (scope.found?.node ?? 0); at = parent[at] ?? 0) {
		const rule = compiled.rules.get(type[at] ?? 0);
		if (rule && typeof rule.kind === "string" && isFunctionLike(rule.kind)) return undefined;
		if (rule?.container) return textOf(tree, rule.pickName(tree, at));
	}
	return undefined;
}
