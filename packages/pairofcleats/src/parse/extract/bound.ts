import type { FlatTree, Grammar } from "../tree/flatTree.ts";
import { findChild } from "./pick.ts";

/**
 * Compiles the test whether the name in a pattern is bound, not compared: `a` of Swift's `case .one(let a)` and of
 * `case let .one(a)`, but not of `case .one(a)`.
 */
export function bound(
	binder: string,
	{ fields }: Grammar,
	idsOf: (name: string) => readonly number[],
	memberMark: string | undefined,
): (tree: FlatTree, pattern: number) => boolean {
	const binders = new Set(idsOf(binder));
	const cases = new Set(idsOf("'case'"));
	const hasBinder = (tree: FlatTree, node: number): boolean =>
		findChild(tree, node, (child) => binders.has(tree.type[child] ?? 0)) >= 0;
	return (tree, pattern) => {
		if (startsMember(tree, pattern, memberMark)) return false;
		let at = pattern;
		for (; tree.type[at] === tree.type[pattern]; at = tree.parent[at] ?? 0) {
			if (hasBinder(tree, at)) return true;
			// A condition has the parts of its pattern as its own: `if case let .one(a) = b`.
			if (fields[tree.field[at] ?? 0] === "condition") return lastOf(tree, at, binders) > lastOf(tree, at, cases);
		}
		return false;
	};
}

/** Whether a pattern has a case in place of a name: `.one(let a)`. */
function startsMember(tree: FlatTree, pattern: number, memberMark: string | undefined): boolean {
	const isMark = (child: number): boolean => tree.text.slice(tree.start[child], tree.end[child]) === memberMark;
	return memberMark !== undefined && findChild(tree, pattern, isMark) >= 0;
}

/** The last node of some types beside a node and before it; -1 if there is none. */
function lastOf(tree: FlatTree, node: number, types: ReadonlySet<number>): number {
	let last = -1;
	findChild(tree, tree.parent[node] ?? 0, (child) => {
		if (child < node && types.has(tree.type[child] ?? 0)) last = child;
		return child >= node;
	});
	return last;
}
