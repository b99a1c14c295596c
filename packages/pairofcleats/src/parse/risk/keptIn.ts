import type { CompiledSpec } from "../extract/compileSpec.ts";
import { calleeText } from "../extract/names.ts";
import { rolesOf } from "../extract/nodeType.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { lastName, placeOf, textOf } from "../tree/nodeText.ts";
import { receiverOf } from "./givenFunction.ts";

/** Calls of one chain that a value is followed through. */
export const LONGEST_CHAIN = 16;

/**
 * Where a mutator keeps its arguments: `list` of `list.push(a)`, and what the chain begins with in
 * `text.append("a").append(b)`; empty if that has no name.
 */
export function keptIn(tree: FlatTree, compiled: CompiledSpec, call: number): string {
	let receiver = receiverOf(tree, compiled, call);
	for (let steps = 0; steps < LONGEST_CHAIN && isMutator(tree, compiled, receiver); steps += 1)
		receiver = receiverOf(tree, compiled, receiver);
	return receiver < 0 ? "" : placeOf(textOf(tree, receiver));
}

function isMutator(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const role = rolesOf(tree, compiled, node);
	const called = node >= 0 && role & ROLE.call ? lastName(calleeText(tree, compiled, node)) : "";
	return compiled.spec.mutators?.includes(called) ?? false;
}
