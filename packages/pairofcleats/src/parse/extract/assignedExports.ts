import type { FlatTree } from "../tree/flatTree.ts";
import { textOf } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

type Assigned = {
	readonly names: readonly string[];
	/** Set if the value has no other name: `exports.limit = 3`. */
	readonly declared?: { readonly name: string; readonly at: number };
};

const NAME = /^[\w$\u00aa-\uffff]+$/;
const NONE: Assigned = { names: [] };

/** The names that an assignment to `module.exports`, or to a member of it, exports. */
export function assignedExports(tree: FlatTree, compiled: CompiledSpec, node: number): Assigned {
	const rule = compiled.assignments.get(tree.type[node] ?? 0);
	const left = rule?.pickLeft(tree, node) ?? -1;
	const right = rule?.pickRight(tree, node) ?? -1;
	if (left < 0 || right < 0) return NONE;
	const place = textOf(tree, left);
	const target = compiled.spec.exportTargets?.find((name) => place === name || place.startsWith(`${name}.`));
	if (target === undefined) return NONE;
	const value = textOf(tree, right);
	if (place === target) return { names: NAME.test(value) ? [value] : keysOf(tree, compiled, right) };
	const name = place.slice(target.length + 1);
	if (!NAME.test(name) || name === "default") return NONE;
	// `exports.a = a` refers to another declaration, `exports.a = void 0` to a later assignment.
	const role = compiled.roles[tree.type[right] ?? 0] ?? 0;
	const other = (role & (ROLE.identifier | ROLE.member | ROLE.assignment)) !== 0 || value.startsWith("void ");
	const known = compiled.rules.get(tree.type[node] ?? 0)?.value?.kinds.kinds;
	const own = known?.[compiled.grammar.types[tree.type[right] ?? 0] ?? ""] !== undefined;
	return { names: [name], ...(!other && !own && { declared: { name, at: tree.start[left] ?? 0 } }) };
}

/** `a`, `b` and `c` of `{ a, b: value, c() {} }`. Spread values have no name here. */
function keysOf(tree: FlatTree, { grammar, roles }: CompiledSpec, list: number): string[] {
	const keys: string[] = [];
	findChild(tree, list, (child) => {
		const key = findChild(tree, child, (at) => /^(?:key|name)$/.test(grammar.fields[tree.field[at] ?? 0] ?? ""));
		const plain = ((roles[tree.type[child] ?? 0] ?? 0) & ROLE.identifier) !== 0;
		const name = key >= 0 ? textOf(tree, key) : plain ? textOf(tree, child) : "";
		if (NAME.test(name)) keys.push(name);
		return false;
	});
	return keys;
}
