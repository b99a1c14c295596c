import type { LineIndex } from "../lineIndex.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText } from "../tree/nodeText.ts";
import { beginsWith, type CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./found.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";
import type { Scope } from "./scope.ts";

/** The last line with text: some grammars end a node only at the start of the next line. */
export function lastLine({ text }: FlatTree, lines: LineIndex, start: number, end: number): number {
	let last = end - 1;
	while (last > start && text.charCodeAt(last) <= 32) last -= 1;
	return lines.lineAt(Math.max(start, last));
}

/** The line that opens a container's body. A member may begin on any line after it. */
export function headLine(tree: FlatTree, { roles }: CompiledSpec, lines: LineIndex, scope: Scope): number {
	if (scope.body < 0) return scope.startLine;
	let end = tree.start[scope.found?.callable ?? 0] ?? 0;
	findChild(tree, tree.parent[scope.body] ?? 0, (child) => {
		if (child >= scope.body) return true;
		if (((roles[tree.type[child] ?? 0] ?? 0) & ROLE.comment) === 0) end = tree.end[child] ?? end;
		return false;
	});
	return lines.lineAt(Math.max(0, end - 1));
}

/** The last node of the definition: the definition itself, or a later sibling that belongs to it. */
export function lastNode(tree: FlatTree, compiled: CompiledSpec, { rule, name }: Found, outer: number): number {
	let last = outer;
	if (rule?.goesOn && compiled.pickBody(tree, outer) < 0) return lastBeforeNext(tree, outer);
	for (let next = tree.until[last] ?? 0; next < tree.count; next = tree.until[next] ?? tree.count) {
		if (tree.parent[next] !== tree.parent[outer] || !rule?.tail?.has(tree.type[next] ?? 0)) break;
		if (rule.tailRepeats && !isEquationOf(tree, compiled, next, name)) break;
		last = next;
		if (!rule.tailRepeats) break;
	}
	return last;
}

/** The last sibling before the next node of the same type. */
function lastBeforeNext(tree: FlatTree, node: number): number {
	let last = node;
	for (let next = tree.until[last] ?? 0; next < tree.count; next = tree.until[next] ?? tree.count) {
		if (tree.parent[next] !== tree.parent[node] || tree.type[next] === tree.type[node]) break;
		last = next;
	}
	return last;
}

/** Whether a node is another equation of a function: `add x y = …`, `x <+> y = …` and ``x `op` y = …``. */
function isEquationOf(tree: FlatTree, { rules }: CompiledSpec, node: number, name: string): boolean {
	if (beginsWith(tree, node, name)) return true;
	const at = rules.get(tree.type[node] ?? 0)?.pickName(tree, node) ?? -1;
	return at >= 0 && readNodeText(tree, at).replaceAll("`", "") === name.replace(/^\(|\)$/g, "");
}

/** Whether a sibling is already part of the definition. */
export function isTail(tree: FlatTree, found: Found | undefined, node: number): boolean {
	return found?.rule?.tailRepeats === true && node !== found.node && tree.parent[node] === tree.parent[found.node];
}
