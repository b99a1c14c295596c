import type { FlatTree } from "../tree/flatTree.ts";
import { squeeze, textOf } from "../tree/nodeText.ts";
import type { Scope } from "./scope.ts";

const MOST_ANCESTORS = 100;

/** Adds what a statement in a container names as ancestors: `A` and `B` of Perl's `use parent qw(A B);`. */
export function addAncestors(tree: FlatTree, after: RegExp, { header }: Scope, statement: number): void {
	if (!header || header.ancestors.length >= MOST_ANCESTORS) return;
	const text = squeeze(textOf(tree, statement), 600);
	const names = after.test(text) ? (text.replace(after, "").match(/(?<![$\w:])[A-Za-z_][\w:]*/g) ?? []) : [];
	header.ancestors.push(...names.filter((name) => !header.ancestors.includes(name)));
}
