import type { LineIndex } from "../lineIndex.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { findChild } from "./pick.ts";
import type { Found } from "./recogniseDefinition.ts";
import { ROLE } from "./roles.ts";
import type { Scope } from "./scope.ts";

/** Some grammars end a node only where the next line begins. */
export function lastLine({ text }: FlatTree, lines: LineIndex, start: number, end: number): number {
	let last = end - 1;
	while (last > start && text.charCodeAt(last) <= 32) last -= 1;
	return lines.lineAt(Math.max(start, last));
}

/** A member may begin on any line after the one that opens its container's body. */
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

/** The node that ends the definition: itself, or a sibling that belongs to it. */
export function lastNode(tree: FlatTree, { rule }: Found, outer: number): number {
	const next = tree.until[outer] ?? 0;
	const follows = next < tree.count && tree.parent[next] === tree.parent[outer];
	return follows && rule?.tail?.has(tree.type[next] ?? 0) ? next : outer;
}
