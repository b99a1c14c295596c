import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText } from "../tree/nodeText.ts";
import type { CompiledRule, CompiledSpec } from "./compileSpec.ts";
import { MAX_NAME } from "./factSink.ts";
import type { Found } from "./found.ts";
import { rolesOf, typeName } from "./nodeType.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

/** The name at the end of a chain of declarators. */
export function declaredName(tree: FlatTree, compiled: CompiledSpec, declarator: number, rule: CompiledRule): number {
	let name = declarator;
	for (let steps = 0; name >= 0 && steps < 32; steps += 1) {
		if ((rolesOf(tree, compiled, name) & ROLE.identifier) !== 0) return name;
		if (typeName(tree, compiled, name) === compiled.spec.declarators?.last) return name;
		const inner = rule.pickName(tree, name);
		const deeper = inner < 0 ? nameWithoutField(tree, compiled, name) : inner;
		if (deeper === name) return name;
		name = deeper;
	}
	return -1;
}

/** References and parentheses have their declarator in no field. Any other node here is the name itself. */
function nameWithoutField(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const type = typeName(tree, compiled, node);
	if (!compiled.spec.declarators?.bare.includes(type)) return node;
	const child = findChild(tree, node, (at) => compiled.grammar.named[tree.type[at] ?? 0] ?? false);
	if (child < 0) return -1;
	const deeper = findChild(tree, child, (at) => compiled.grammar.fields[tree.field[at] ?? 0] === "declarator");
	return deeper >= 0 ? deeper : child;
}

/** The pointer and reference marks, which C puts before the name instead of after the type. */
export function typeMarks(tree: FlatTree, { spec, grammar }: CompiledSpec, { node, nameNode }: Found): string {
	let marks = "";
	for (let at = tree.parent[nameNode] ?? 0; at > node; at = tree.parent[at] ?? 0) {
		const type = grammar.types[tree.type[at] ?? 0] ?? "";
		if (spec.declarators?.marks.includes(type)) marks = `${readNodeText(tree, at + 1)}${marks}`;
	}
	return marks;
}

/** Outside the class, the C++ grammar parses `operator` as a type: `Flag::operator bool()`. */
export function withOperator(tree: FlatTree, node: number): string {
	const start = tree.start[node] ?? 0;
	if (!tree.text.startsWith("::operator ", start - 11)) return readNodeText(tree, node);
	const before = /[\w:<>]+::operator $/.exec(tree.text.slice(Math.max(0, start - MAX_NAME), start));
	return `${before?.[0] ?? ""}${readNodeText(tree, node)}`;
}
