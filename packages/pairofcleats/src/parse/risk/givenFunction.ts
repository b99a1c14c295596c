import { listParameterNames } from "../extract/definitions/declarators.ts";
import { readCallee, readNodeName } from "../extract/facts/names.ts";
import { type CompiledSpec, readRoles } from "../extract/spec/compileSpec.ts";
import { findChild } from "../extract/spec/pick.ts";
import { ROLE } from "../extract/spec/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { describePlace, findLastName, isPlainChain, readNodeText } from "../tree/nodeText.ts";

/** Most levels between a call and a function among its arguments. */
const DEEPEST_ARGUMENT = 4;

/** The call that a function or a block is given to: `list.each` of `list.each { … }`; -1 if there is none. */
export function findCallAround(tree: FlatTree, compiled: CompiledSpec, given: number): number {
	let at = tree.parent[given] ?? -1;
	for (let steps = 0; at > 0 && steps < DEEPEST_ARGUMENT; steps += 1) {
		const role = readRoles(tree, compiled, at);
		if (role & ROLE.call) return given >= calleeEnd(tree, compiled, at) ? at : -1;
		if (role & (ROLE.lambda | ROLE.definition)) return -1;
		at = tree.parent[at] ?? -1;
	}
	return -1;
}

/** What a method is called on: `list` of `list.each`; -1 if it is called on nothing. */
export function findReceiver(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const spans = compiled.spans.get(tree.type[call] ?? 0) ?? [];
	const first = spans[0]?.(tree, call) ?? -1;
	if (first < 0 || spans.length > 1) return first;
	const isMember = (readRoles(tree, compiled, first) & ROLE.member) !== 0;
	return isMember ? findChild(tree, first, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false) : -1;
}

/** The parameters of a function or a block, or the name that stands for its only one. */
export function listGivenNames(tree: FlatTree, compiled: CompiledSpec, given: number): readonly string[] {
	const { grammar, spec } = compiled;
	const listed = compiled.pickParameters(tree, given);
	const list =
		listed >= 0 ? listed : findChild(tree, given, (at) => grammar.fields[tree.field[at] ?? 0] === "parameter");
	if (list < 0) return spec.impliedParameter === undefined ? [] : [spec.impliedParameter];
	const names = listParameterNames(tree, compiled, list);
	// The only parameter of a C# function may be a node of its own kind.
	const whole = names.length === 0 ? readNodeName(tree, compiled, list) : "";
	return isPlainChain(whole) ? [whole] : names;
}

function calleeEnd(tree: FlatTree, compiled: CompiledSpec, call: number): number {
	const callee = compiled.spans.get(tree.type[call] ?? 0)?.at(-1)?.(tree, call) ?? -1;
	return callee < 0 ? call : (tree.until[callee] ?? call);
}

/** Calls of one chain that a value is followed through. */
export const LONGEST_CHAIN = 16;

/**
 * Where a mutator keeps its arguments: `list` of `list.push(a)`, and what the chain begins with in
 * `text.append("a").append(b)`; empty if that has no name.
 */
export function findContainer(tree: FlatTree, compiled: CompiledSpec, call: number): string {
	let receiver = findReceiver(tree, compiled, call);
	for (let steps = 0; steps < LONGEST_CHAIN && isMutator(tree, compiled, receiver); steps += 1)
		receiver = findReceiver(tree, compiled, receiver);
	return receiver < 0 ? "" : describePlace(readNodeText(tree, receiver));
}

function isMutator(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const role = readRoles(tree, compiled, node);
	const called = node >= 0 && role & ROLE.call ? findLastName(readCallee(tree, compiled, node)) : "";
	return compiled.spec.mutators?.includes(called) ?? false;
}
