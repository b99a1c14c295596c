import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText } from "../tree/nodeText.ts";
import { type CompiledSpec, LIST } from "./compileSpec.ts";
import { MAX_NAME } from "./factSink.ts";
import { findChild } from "./pick.ts";

/** The fields that an assignment in a constructor gives their object: `name` of `self.name = name`. */
export function assignedFields(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
): readonly { readonly name: string; readonly at: number }[] {
	const { assignedFields: form } = compiled.spec;
	const left = compiled.assignments.get(tree.type[node] ?? 0)?.pickLeft(tree, node) ?? -1;
	if (!form || left < 0) return [];
	const fields: { name: string; at: number }[] = [];
	const add = (at: number): false => {
		const short = (tree.end[at] ?? 0) - (tree.start[at] ?? 0) <= MAX_NAME;
		const name = short ? form.exec(readNodeText(tree, at))?.[1] : undefined;
		if (name !== undefined) fields.push({ name, at: tree.start[at] ?? 0 });
		return false;
	};
	if ((compiled.lists[tree.type[left] ?? 0] ?? 0) & LIST.targets) findChild(tree, left, add);
	else add(left);
	return fields;
}
