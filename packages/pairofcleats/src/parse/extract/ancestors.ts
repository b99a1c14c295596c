import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, shortenText } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { MAX_NAME } from "./factSink.ts";
import { typeName } from "./nodeType.ts";
import { findChild } from "./pick.ts";
import type { Scope } from "./scope.ts";

const MOST_ANCESTORS = 100;

/** Adds what a statement in a container names as ancestors: `A` and `B` of Perl's `use parent qw(A B);`. */
export function addAncestors(tree: FlatTree, after: RegExp, { header }: Scope, statement: number): void {
	if (!header || header.ancestors.length >= MOST_ANCESTORS) return;
	const text = shortenText(readNodeText(tree, statement), 600);
	const names = after.test(text) ? (text.replace(after, "").match(/(?<![$\w:])[A-Za-z_][\w:]*/g) ?? []) : [];
	header.ancestors.push(...names.filter((name) => !header.ancestors.includes(name)));
}

/** Adds the arguments of a call right in a container: `Comparable` of Ruby's `include Comparable`. */
export function addMixins(tree: FlatTree, compiled: CompiledSpec, { header, body }: Scope, call: number): void {
	if (!header || tree.parent[call] !== body) return;
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	if (list < 0) return;
	findChild(tree, list, (child) => {
		const name = compiled.spec.mixins?.includes(typeName(tree, compiled, child)) ? readNodeText(tree, child) : "";
		if (name !== "" && name.length <= MAX_NAME && !header.ancestors.includes(name)) header.ancestors.push(name);
		return header.ancestors.length >= MOST_ANCESTORS;
	});
}
