import type { FlatTree } from "../tree/flatTree.ts";
import { beginsWith, type CompiledSpec } from "./compileSpec.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

/** The block of observers in Swift's `var size = 0 { didSet { … } }`, where it looks like an argument; -1 if it is none. */
export function observersIn(tree: FlatTree, { spec, grammar, roles }: CompiledSpec, call: number): number {
	if (!spec.observers || call < 0 || tree.text[(tree.end[call] ?? 0) - 1] !== "}") return -1;
	const block = findChild(
		tree,
		argumentsOf(tree, call),
		(child) => ((roles[tree.type[child] ?? 0] ?? 0) & ROLE.lambda) !== 0,
	);
	const first = block < 0 ? block : findChild(tree, block, (child) => grammar.named[tree.type[child] ?? 0] ?? false);
	return first >= 0 && spec.observers.some((word) => beginsWith(tree, first, word)) ? block : -1;
}

/** Whether what looks like a call is a value with observers: not so in `var size = load() { didSet { … } }`. */
export function isObserved(tree: FlatTree, compiled: CompiledSpec, call: number): boolean {
	const block = observersIn(tree, compiled, call);
	return block >= 0 && block === argumentsOf(tree, call) + 1;
}

function argumentsOf(tree: FlatTree, call: number): number {
	return tree.until[call + 1] ?? 0;
}
