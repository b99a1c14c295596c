import type { Visibility } from "../specs/spec.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { own, textOf } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Scope } from "./scope.ts";

/** Notes that `private:` applies to its later siblings, in the scope's body or in a node like it. */
export function changeSection(tree: FlatTree, { spec }: CompiledSpec, scope: Scope, node: number): void {
	const { type, parent } = tree;
	const above = parent[node] ?? 0;
	if (above !== scope.body && type[above] !== type[scope.body]) return;
	const word = textOf(tree, node).replace(/\s*:$/, "").trim();
	const visibility = own(spec.visibility?.keywords, word);
	if (visibility) scope.sections.set(above, visibility);
}

/** The visibility that applies to a node by its section or its container. */
export function sectionOf(
	{ parent }: FlatTree,
	{ sections, body, found }: Scope,
	node: number,
): Visibility | undefined {
	for (let at = parent[node] ?? 0; sections.size > 0 && at >= body; at = parent[at] ?? -1) {
		const section = sections.get(at);
		if (section || at <= 0) return section;
	}
	return found?.rule?.memberVisibility;
}
