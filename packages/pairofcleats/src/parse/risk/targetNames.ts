import type { CompiledSpec } from "../extract/compileSpec.ts";
import { nameOf } from "../extract/names.ts";
import { rolesOf } from "../extract/nodeType.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { isDefault } from "./unpacked.ts";

/** More nodes of a target are not read. */
const LARGEST_TARGET = 100;

/** The names that an assignment to `left` gives a value: its place, and each variable of a pattern. */
export function targetNames(tree: FlatTree, compiled: CompiledSpec, left: number, place: string): string[] {
	const names: string[] = place === "" ? [] : [place.replaceAll("$", "")];
	const end = Math.min(tree.until[left] ?? 0, left + LARGEST_TARGET);
	for (let at = left; at < end; ) {
		const role = rolesOf(tree, compiled, at);
		const skipped = isDefault(tree, compiled, at);
		if (role & (ROLE.member | ROLE.index) && !skipped) return names;
		if (role & ROLE.identifier && !skipped) names.push(nameOf(tree, compiled, at));
		at = skipped ? (tree.until[at] ?? end) : at + 1;
	}
	return names;
}
