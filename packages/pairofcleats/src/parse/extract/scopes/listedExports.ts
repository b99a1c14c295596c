import type { FlatTree } from "../../tree/flatTree.ts";
import { readNodeText, stripQuotes } from "../../tree/nodeText.ts";
import { type CompiledSpec, readRoles, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";

type Listed = {
	/** The names that importers see: `a` and `c` of `{ a, b as c }`, `a` of `export default a`. */
	readonly names: readonly string[];
	/** What they are called in this file: `a` and `b`. None if the list is of another file. */
	readonly declared: readonly string[];
};

const DECLARATION = /^export\s+default\s+(?:@|(?:async\s+)?(?:function|class|abstract|interface|enum)\b)/;

const ASSIGNMENT = /^export\s*=/;

/** The exports of a list of names, of a default that is a name, or of `* as name`. */
export function readExportLists(tree: FlatTree, { grammar }: CompiledSpec, list: number): Listed {
	const text = readNodeText(tree, list);
	if (text.startsWith("export")) {
		const names = /^export\s*(?:default\s|=)\s*([\w$\u00aa-\uffff]+)\s*;?$/.exec(text)?.slice(1) ?? [];
		// A value without a name: `export default { a }`. A declaration is exported by itself.
		if (names.length === 0 && !DECLARATION.test(text) && !ASSIGNMENT.test(text))
			return { names: ["default"], declared: [] };
		return { names, declared: names };
	}
	if (text.startsWith("*")) return { names: [stripQuotes(text.replace(/^\*\s*as\s+/, ""))], declared: [] };
	const childOf = (node: number, field: string): number =>
		findChild(tree, node, (child) => grammar.fields[tree.field[child] ?? 0] === field);
	const names: string[] = [];
	const declared: string[] = [];
	findChild(tree, list, (specifier) => {
		const name = childOf(specifier, "name");
		if (name < 0) return false;
		const alias = childOf(specifier, "alias");
		names.push(stripQuotes(readNodeText(tree, alias >= 0 ? alias : name)));
		declared.push(readNodeText(tree, name));
		return false;
	});
	const isOfAnotherFile = childOf(tree.parent[list] ?? 0, "source") >= 0;
	return { names, declared: isOfAnotherFile ? [] : declared };
}

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
export function listAssignedExports(tree: FlatTree, compiled: CompiledSpec, node: number): Assigned {
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
	const role = readRoles(tree, compiled, right);
	const other = (role & (ROLE.identifier | ROLE.member | ROLE.assignment)) !== 0 || value.startsWith("void ");
	const known = compiled.rules.get(tree.type[node] ?? 0)?.value?.kinds.kinds;
	const own = known?.[readTypeName(tree, compiled, right)] !== undefined;
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
	const isName = (node: number): boolean => node >= 0 && (readRoles(tree, compiled, node) & ROLE.identifier) !== 0;
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
