import type { CompiledSpec } from "../extract/compileSpec.ts";
import { typeName } from "../extract/nodeType.ts";
import { findChild } from "../extract/pick.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { textOf } from "../tree/nodeText.ts";
import type { RiskSink } from "./rules.ts";

/** A context by its name: `ctx`, `r.Context()`, `context.Background()`. */
const CONTEXT = /^[^"`]*(?:[cC]tx|[cC]ontext)\b[^"`]*$/;

/** The node with the arguments of a call, or with the first where a grammar has no list of them; -1 if there is none. */
export function argumentList(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const typeOf = (node: number): string => typeName(tree, compiled, node);
	const list = findChild(tree, call, (child) => /(?<!type_)argument|call_suffix/.test(typeOf(child)));
	const inner = list < 0 ? -1 : findChild(tree, list, (child) => typeOf(child) === "value_arguments");
	return inner >= 0 ? inner : list;
}

/** The first node that can be of an argument, where a grammar has no list of them. */
export function afterCallee(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const spans = compiled.spans.get(tree.type[call] ?? 0) ?? [];
	const callee = spans.at(-1)?.(tree, call);
	return callee === undefined ? call + 1 : (tree.until[callee < 0 ? call : callee] ?? 0);
}

/** Whether a node is a list of arguments and not one of them. */
export function isList(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return node >= 0 && typeName(tree, compiled, node) !== "argument";
}

/** The argument at a place of a list, counted from 0, or -1. */
export function argumentAt(tree: FlatTree, compiled: CompiledSpec, list: number, place: number): number {
	let index = -1;
	return findChild(tree, list, (child) => {
		if (compiled.grammar.named[tree.type[child] ?? 0]) index += 1;
		return index === place;
	});
}

/** The place of the only argument that matters to a sink; undefined if all do. */
export function placeOfInterest(
	tree: FlatTree,
	compiled: CompiledSpec,
	list: number,
	{ argument, afterContext }: RiskSink,
): number | undefined {
	if (argument === undefined || !afterContext || argumentAt(tree, compiled, list, argument + 1) < 0) return argument;
	return CONTEXT.test(textOf(tree, argumentAt(tree, compiled, list, argument))) ? argument + 1 : argument;
}

/** Whether a call has too few arguments for the one that matters: Go's `r.URL.Query()` is no query of a database. */
export function lacks(tree: FlatTree, compiled: CompiledSpec, call: number, argument: number | undefined): boolean {
	const list = argument === undefined ? -1 : argumentList(tree, compiled, call);
	return argument !== undefined && isList(tree, compiled, list) && argumentAt(tree, compiled, list, argument) < 0;
}

/** A named argument binds a value. */
export function isNamedArgument(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return typeName(tree, compiled, node) === "pair";
}
