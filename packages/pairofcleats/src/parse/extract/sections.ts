import type { Visibility } from "../specs/rules.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Scope } from "./scope.ts";

/** Notes that `private:` applies to its later siblings, in the scope's body or in a node like it. */
export function changeSection(tree: FlatTree, compiled: CompiledSpec, scope: Scope, node: number): void {
	const { type, parent } = tree;
	const hiding = compiled.rules.get(type[node] ?? 0);
	if (hiding) {
		if (hiding.pickName(tree, node) < 0) scope.sections.set(compiled.pickBody(tree, node), "private");
		return;
	}
	const above = parent[node] ?? 0;
	if (above !== scope.body && type[above] !== type[scope.body]) return;
	const word = readNodeText(tree, node).replace(/\s*:$/, "").trim();
	const visibility = lookUpOwn(compiled.spec.visibility?.keywords, word);
	if (visibility) scope.sections.set(above, visibility);
}

/** The visibility that applies to a node by its section or its container. */
export function sectionOf(
	tree: FlatTree,
	{ rules, sectioned }: CompiledSpec,
	{ sections, body, found, header }: Scope,
	node: number,
): Visibility | undefined {
	const { parent, type } = tree;
	const applies = sections.size > 0 && (sectioned === undefined || sectioned.has(type[node] ?? 0));
	for (let at = parent[node] ?? 0; applies && at >= body; at = parent[at] ?? -1) {
		const section = sections.get(at);
		if (section || at <= 0) return section;
	}
	const rule = found?.rule;
	if (!found || !rule) return undefined;
	if (rule.constructorVisibility && rules.get(type[node] ?? 0)?.kind === "constructor")
		return rule.constructorVisibility;
	if (rule.pickVisible && rule.pickVisible(tree, found.node) < 0) return undefined;
	return rule.memberVisibility === "own" ? header?.visibility : rule.memberVisibility;
}
