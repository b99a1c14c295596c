import type { CompiledSpec } from "../extract/compileSpec.ts";
import { nameOf } from "../extract/names.ts";
import { rolesOf } from "../extract/nodeType.ts";
import { parameterNames } from "../extract/parameters.ts";
import { findChild } from "../extract/pick.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { isPlainChain } from "../tree/nodeText.ts";

/** Most levels between a call and a function among its arguments. */
const DEEPEST_ARGUMENT = 4;

/** The call that a function or a block is given to: `list.each` of `list.each { … }`; -1 if there is none. */
export function callAround(tree: FlatTree, compiled: CompiledSpec, given: number): number {
	let at = tree.parent[given] ?? -1;
	for (let steps = 0; at > 0 && steps < DEEPEST_ARGUMENT; steps += 1) {
		const role = rolesOf(tree, compiled, at);
		if (role & ROLE.call) return given >= calleeEnd(tree, compiled, at) ? at : -1;
		if (role & (ROLE.lambda | ROLE.definition)) return -1;
		at = tree.parent[at] ?? -1;
	}
	return -1;
}

/** What a method is called on: `list` of `list.each`; -1 if it is called on nothing. */
export function receiverOf(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const spans = compiled.spans.get(tree.type[call] ?? 0) ?? [];
	const first = spans[0]?.(tree, call) ?? -1;
	if (first < 0 || spans.length > 1) return first;
	const isMember = (rolesOf(tree, compiled, first) & ROLE.member) !== 0;
	return isMember ? findChild(tree, first, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false) : -1;
}

/** The parameters of a function or a block, or the name that stands for its only one. */
export function givenNames(tree: FlatTree, compiled: CompiledSpec, given: number): readonly string[] {
	const { grammar, spec } = compiled;
	const listed = compiled.pickParameters(tree, given);
	const list =
		listed >= 0 ? listed : findChild(tree, given, (at) => grammar.fields[tree.field[at] ?? 0] === "parameter");
	if (list < 0) return spec.impliedParameter === undefined ? [] : [spec.impliedParameter];
	const names = parameterNames(tree, compiled, list);
	// The only parameter of a C# function may be a node of its own kind.
	const whole = names.length === 0 ? nameOf(tree, compiled, list) : "";
	return isPlainChain(whole) ? [whole] : names;
}

function calleeEnd(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const callee = compiled.spans.get(tree.type[call] ?? 0)?.at(-1)?.(tree, call) ?? -1;
	return callee < 0 ? call : (tree.until[callee] ?? call);
}
