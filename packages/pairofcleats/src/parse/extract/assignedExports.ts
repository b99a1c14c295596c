import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, stripQuotes } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { rolesOf, typeName } from "./nodeType.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

type Assigned = {
	/** What an importer calls each, and what it is called in this file: `a` and `b` of `{ a: b }`. */
	readonly names: readonly Export[];
	/** Set if the value has no other name: `exports.limit = 3`. */
	readonly declared?: { readonly name: string; readonly at: number };
};
type Export = { readonly outside: string; readonly inside: string };

const NAME = /^[\w$\u00aa-\uffff]+$/;
const NONE: Assigned = { names: [] };

/** The names that an assignment to `module.exports`, or to a member of it, exports. */
export function assignedExports(tree: FlatTree, compiled: CompiledSpec, node: number): Assigned {
	const rule = compiled.assignments.get(tree.type[node] ?? 0);
	const left = rule?.pickLeft(tree, node) ?? -1;
	const right = rule?.pickRight(tree, node) ?? -1;
	if (left < 0 || right < 0) return NONE;
	const place = readNodeText(tree, left);
	const target = compiled.spec.exportTargets?.find((name) => place === name || place.startsWith(`${name}.`));
	if (target === undefined) return NONE;
	const value = readNodeText(tree, right);
	if (place === target)
		return { names: NAME.test(value) ? [{ outside: value, inside: value }] : entriesOf(tree, compiled, right) };
	const name = place.slice(target.length + 1);
	if (!NAME.test(name) || name === "default") return NONE;
	// `exports.a = a` refers to another declaration, `exports.a = void 0` to a later assignment.
	const role = rolesOf(tree, compiled, right);
	const other = (role & (ROLE.identifier | ROLE.member | ROLE.assignment)) !== 0 || value.startsWith("void ");
	const known = compiled.rules.get(tree.type[node] ?? 0)?.value?.kinds.kinds;
	const own = known?.[typeName(tree, compiled, right)] !== undefined;
	const inside = NAME.test(value) && role & ROLE.identifier ? value : name;
	return {
		names: [{ outside: name, inside }],
		...(!other && !own && { declared: { name, at: tree.start[left] ?? 0 } }),
	};
}

/** `a`, `b` and `c` of `{ a, b: value, "c": other }`. Spread values have no name here. */
function entriesOf(tree: FlatTree, compiled: CompiledSpec, list: number): Export[] {
	const entries: Export[] = [];
	const { grammar } = compiled;
	const isName = (node: number): boolean => node >= 0 && (rolesOf(tree, compiled, node) & ROLE.identifier) !== 0;
	const childOf = (node: number, fields: RegExp): number =>
		findChild(tree, node, (at) => fields.test(grammar.fields[tree.field[at] ?? 0] ?? ""));
	findChild(tree, list, (child) => {
		const key = childOf(child, /^(?:key|name)$/);
		const value = key >= 0 ? childOf(child, /^value$/) : child;
		const outside = key >= 0 ? stripQuotes(readNodeText(tree, key)) : isName(child) ? readNodeText(tree, child) : "";
		if (NAME.test(outside)) entries.push({ outside, inside: isName(value) ? readNodeText(tree, value) : outside });
		return false;
	});
	return entries;
}
