import { type CompiledSpec, readRoles, readTypeName } from "../extract/spec/compileSpec.ts";
import { findChild } from "../extract/spec/pick.ts";
import { ROLE } from "../extract/spec/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, splitAtCommas } from "../tree/nodeText.ts";
import type { RiskSink } from "./rules/rules.ts";

/** A context by its name: `ctx`, `r.Context()`, `context.Background()`. */
const CONTEXT = /^[^"`]*(?:[cC]tx|[cC]ontext)\b[^"`]*$/;

/** The node with the arguments of a call, or with the first where a grammar has no list of them; -1 if there is none. */
export function findArgumentList(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const typeOf = (node: number): string => readTypeName(tree, compiled, node);
	const list = findChild(tree, call, (child) => /(?<!type_)argument|call_suffix/.test(typeOf(child)));
	const inner = list < 0 ? -1 : findChild(tree, list, (child) => typeOf(child) === "value_arguments");
	return inner >= 0 ? inner : list;
}

/** The first node that can be of an argument, where a grammar has no list of them. */
export function findAfterCallee(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const spans = compiled.spans.get(tree.type[call] ?? 0) ?? [];
	const callee = spans.at(-1)?.(tree, call);
	return callee === undefined ? call + 1 : (tree.until[callee < 0 ? call : callee] ?? 0);
}

/** Whether a node is a list of arguments and not one of them. */
export function isList(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return node >= 0 && readTypeName(tree, compiled, node) !== "argument";
}

/** The argument at a place of a list, counted from 0, or -1. */
export function findArgumentAt(tree: FlatTree, compiled: CompiledSpec, list: number, place: number): number {
	let index = -1;
	return findChild(tree, list, (child) => {
		if (compiled.grammar.named[tree.type[child] ?? 0]) index += 1;
		return index === place;
	});
}

/** The place of the only argument that matters to a sink; undefined if all do. */
export function findPlaceOfInterest(
	tree: FlatTree,
	compiled: CompiledSpec,
	list: number,
	{ argument, afterContext }: RiskSink,
): number | undefined {
	if (argument === undefined || !afterContext || findArgumentAt(tree, compiled, list, argument + 1) < 0)
		return argument;
	return CONTEXT.test(readNodeText(tree, findArgumentAt(tree, compiled, list, argument))) ? argument + 1 : argument;
}

/** Whether a call has too few arguments for the one that matters: Go's `r.URL.Query()` is no query of a database. */
export function lacksArgument(
	tree: FlatTree,
	compiled: CompiledSpec,
	call: number,
	argument: number | undefined,
): boolean {
	const list = argument === undefined ? -1 : findArgumentList(tree, compiled, call);
	return argument !== undefined && isList(tree, compiled, list) && findArgumentAt(tree, compiled, list, argument) < 0;
}

/** A named argument binds a value. */
export function isNamedArgument(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return readTypeName(tree, compiled, node) === "pair";
}

/** Whether a call writes to what its sink is about: Go's `fmt.Fprintf(w, …)` to the response. */
export function isWritingInto(tree: FlatTree, compiled: CompiledSpec, call: number, { into }: RiskSink): boolean {
	if (into === undefined) return true;
	const to = findArgumentAt(tree, compiled, findArgumentList(tree, compiled, call), 0);
	return to >= 0 && hasParameter(tree, compiled, call, `${readNodeText(tree, to)} ${into}`);
}

/** Whether a function around a node has a parameter that is written like this: `w http.ResponseWriter`. */
function hasParameter(tree: FlatTree, compiled: CompiledSpec, node: number, written: string): boolean {
	for (let at = tree.parent[node] ?? 0; at > 0; at = tree.parent[at] ?? 0) {
		const isFunction = (readRoles(tree, compiled, at) & (ROLE.lambda | ROLE.definition)) !== 0;
		const list = isFunction ? compiled.pickParameters(tree, at) : -1;
		if (list >= 0 && splitAtCommas(readNodeText(tree, list).slice(1, -1)).includes(written)) return true;
	}
	return false;
}
