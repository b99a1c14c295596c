import type { FlatTree } from "../tree/flatTree.ts";
import { chainOf, lastName, placeOf, textOf } from "../tree/nodeText.ts";
import { assigns, type CompiledSpec, ROLE } from "./compileSpec.ts";
import type { FactSink } from "./factSink.ts";
import { calleeText, nameOf, place, unmarked } from "./names.ts";
import { findChild } from "./pick.ts";

export function readAssignment(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const rule = compiled.assignments.get(tree.type[node] ?? 0);
	if (!rule || !assigns(tree, rule, node)) return;
	const left = rule.pickLeft(tree, node);
	if (left < 0) return;
	if (rule.changes) {
		sink.add("mutates", place(tree, compiled, left));
		return;
	}
	const last = rule.pickRight(tree, node);
	// Without a value, the last part of a declaration is the name itself.
	const right = last === left ? -1 : last;
	// A declaration without a value assigns nothing.
	if (rule.declares && right < 0) return;
	writeTarget(tree, compiled, left, sink, rule.declares ?? false);
	if (right < 0 || rule.update) return;
	const value = soleChild(tree, compiled, right);
	const valueRole = compiled.roles[tree.type[value] ?? 0] ?? 0;
	if (valueRole & (ROLE.identifier | ROLE.member)) {
		const to = isPattern(tree, left) ? "" : place(tree, compiled, left);
		const from = chainOf(unmarked(compiled, textOf(tree, value)));
		if (to !== "" && from !== undefined) sink.add("aliases", `${to}=${from}`);
	}
	const type = inferredType(tree, compiled, value, valueRole);
	if (type !== "") sink.add("inferredTypes", type);
}

/** `a` is written, `a.b` and `a[i]` are changed in place, a pattern writes each of its names. */
function writeTarget(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink, declares: boolean): void {
	const role = compiled.roles[tree.type[node] ?? 0] ?? 0;
	if (role & (ROLE.member | ROLE.index)) sink.add("mutates", place(tree, compiled, node));
	else if (role & ROLE.identifier) sink.add("writes", nameOf(tree, compiled, node));
	else if (role & ROLE.call) sink.add("mutates", placeOf(calleeText(tree, compiled, node)));
	else if (!declares && /^\*|^[\w$@]+\s*[.[]/.test(textOf(tree, node)) && !isPattern(tree, node))
		sink.add("mutates", place(tree, compiled, node));
	else {
		const end = Math.min(tree.until[node] ?? 0, node + 200);
		for (let at = node + 1; at < end; ) {
			const inner = compiled.roles[tree.type[at] ?? 0] ?? 0;
			if (inner & (ROLE.member | ROLE.index)) sink.add("mutates", place(tree, compiled, at));
			else if (inner & ROLE.identifier && compiled.grammar.fields[tree.field[at] ?? 0] !== "type")
				sink.add("writes", nameOf(tree, compiled, at));
			at = inner & (ROLE.member | ROLE.index | ROLE.call | ROLE.typeIdentifier) ? (tree.until[at] ?? end) : at + 1;
		}
	}
}

/** `[a, b]`, `Some(x)`: more than one place, or a place inside a shape. */
function isPattern(tree: FlatTree, node: number): boolean {
	return /^[[{]|,|^[\w:]+\s*[({]/.test(textOf(tree, node));
}

/** Go and Rust wrap single values in lists; parentheses mean nothing here. */
function soleChild(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	let at = node;
	for (let steps = 0; steps < 4; steps += 1) {
		const first = at + 1;
		const wraps = /^(?:expression_list|parenthesized_expression|expression)$/.test(
			compiled.grammar.types[tree.type[at] ?? 0] ?? "",
		);
		if (!wraps || first >= (tree.until[at] ?? 0)) return at;
		const named = findChild(tree, at, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false);
		if (named < 0) return at;
		at = named;
	}
	return at;
}

function inferredType(tree: FlatTree, compiled: CompiledSpec, value: number, role: number): string {
	const literal = compiled.literals.get(tree.type[value] ?? 0);
	if (literal !== undefined) return literal;
	if (role & ROLE.construct) return lastName(calleeText(tree, compiled, value));
	if (role & ROLE.call && compiled.spec.capitalCallsConstruct) {
		const name = lastName(calleeText(tree, compiled, value));
		return /^\p{Lu}/u.test(name) ? name : "";
	}
	return "";
}
