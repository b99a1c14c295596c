import type { Visibility } from "../specs/rules.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { calleeText } from "./names.ts";
import { symbolArguments } from "./readCall.ts";

/** What `private :name, :other` makes of which methods; `undefined` if a call is none of these. */
export function calledVisibility(
	tree: FlatTree,
	compiled: CompiledSpec,
	call: number,
): { readonly visibility: Visibility; readonly names: readonly string[] } | undefined {
	const { symbolCalls, visibility: rule } = compiled.spec;
	const visibility = symbolCalls && lookUpOwn(rule?.keywords, calleeText(tree, compiled, call));
	if (!visibility) return undefined;
	const named = symbolArguments(tree, compiled, call, symbolCalls.symbol);
	return { visibility, names: named.map((at) => readNodeText(tree, at).slice(1)) };
}
