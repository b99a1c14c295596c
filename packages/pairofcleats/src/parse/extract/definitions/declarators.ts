import type { FlatTree } from "../../tree/flatTree.ts";
import { readNodeText } from "../../tree/nodeText.ts";
import { MAX_NAME } from "../facts/factSink.ts";
import { readNodeName } from "../facts/names.ts";
import { type CompiledRule, type CompiledSpec, readRoles, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import type { Found } from "./visibility.ts";

/** The name at the end of a chain of declarators. */
export function findDeclaredName(
	tree: FlatTree,
	compiled: CompiledSpec,
	declarator: number,
	rule: CompiledRule,
): number {
	let name = declarator;
	for (let steps = 0; name >= 0 && steps < 32; steps += 1) {
		if ((readRoles(tree, compiled, name) & ROLE.identifier) !== 0) return name;
		if (readTypeName(tree, compiled, name) === compiled.spec.declarators?.last) return name;
		const inner = rule.pickName(tree, name);
		const deeper = inner < 0 ? nameWithoutField(tree, compiled, name) : inner;
		if (deeper === name) return name;
		name = deeper;
	}
	return -1;
}

/** References and parentheses have their declarator in no field. Any other node here is the name itself. */
function nameWithoutField(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const type = readTypeName(tree, compiled, node);
	if (!compiled.spec.declarators?.bare.includes(type)) return node;
	const child = findChild(tree, node, (at) => compiled.grammar.named[tree.type[at] ?? 0] ?? false);
	if (child < 0) return -1;
	const deeper = findChild(tree, child, (at) => compiled.grammar.fields[tree.field[at] ?? 0] === "declarator");
	return deeper >= 0 ? deeper : child;
}

/** The pointer and reference marks, which C puts before the name instead of after the type. */
export function readTypeMarks(tree: FlatTree, { spec, grammar }: CompiledSpec, { node, nameNode }: Found): string {
	let marks = "";
	for (let at = tree.parent[nameNode] ?? 0; at > node; at = tree.parent[at] ?? 0) {
		const type = grammar.types[tree.type[at] ?? 0] ?? "";
		if (spec.declarators?.marks.includes(type)) marks = `${readNodeText(tree, at + 1)}${marks}`;
	}
	return marks;
}

/** Outside the class, the C++ grammar parses `operator` as a type: `Flag::operator bool()`. */
export function readOperatorName(tree: FlatTree, node: number): string {
	const start = tree.start[node] ?? 0;
	if (!tree.text.startsWith("::operator ", start - 11)) return readNodeText(tree, node);
	const before = /[\w:<>]+::operator $/.exec(tree.text.slice(Math.max(0, start - MAX_NAME), start));
	return `${before?.[0] ?? ""}${readNodeText(tree, node)}`;
}

const MAX_PARAMETERS = 64;

/** The parameter list of the definition, of its value, or of the declarator around the name. */
export function findParametersNode(tree: FlatTree, compiled: CompiledSpec, found: Found): number {
	const direct = compiled.pickParameters(tree, found.callable);
	if (direct >= 0) return direct;
	const single = findChild(
		tree,
		found.callable,
		(child) => compiled.grammar.fields[tree.field[child] ?? 0] === "parameter",
	);
	if (single >= 0) return single;
	const declarator = findChild(
		tree,
		found.callable,
		(child) => compiled.grammar.fields[tree.field[child] ?? 0] === "declarator",
	);
	if (declarator >= 0 && found.callable !== found.node) return compiled.pickParameters(tree, declarator);
	for (let at = tree.parent[found.nameNode] ?? -1; at > found.node; at = tree.parent[at] ?? -1) {
		const around = compiled.pickParameters(tree, at);
		if (around >= 0) return around;
	}
	return compiled.spec.forms ? lastArity(tree, compiled, found.callable) : -1;
}

/** `[a b]` of `(defn f ([a] …) ([a b] …))`. */
function lastArity(tree: FlatTree, compiled: CompiledSpec, callable: number): number {
	let last = -1;
	findChild(tree, callable, (child) => {
		const list = compiled.pickParameters(tree, child);
		// Only the form's bracket is before it.
		if (list === child + 2) last = list;
		return false;
	});
	return last;
}

/** Identifiers of the list that are neither types nor default values. */
export function listParameterNames(tree: FlatTree, compiled: CompiledSpec, list: number): string[] {
	const names: string[] = [];
	const end = lastOfType(tree, list);
	let isDefault = false;
	for (let at = list; at < end && names.length < MAX_PARAMETERS; ) {
		const role = readRoles(tree, compiled, at);
		const field = compiled.grammar.fields[tree.field[at] ?? 0];
		const isName = tree.field[at] !== 0 && compiled.nameUnder[tree.type[tree.parent[at] ?? 0] ?? 0] === tree.field[at];
		const skipped = at > list && !isName && !compiled.spec.forms && (isDefault || NOT_A_NAME.has(field ?? ""));
		isDefault = readTypeName(tree, compiled, at) === "=";
		const isLifetime = readTypeName(tree, compiled, at) === LIFETIME;
		if (skipped || isLifetime || role & (ROLE.decorator | ROLE.modifiers | ROLE.comment)) {
			at = tree.until[at] ?? end;
			continue;
		}
		if (role & ROLE.identifier) {
			const name = readNodeName(tree, compiled, at);
			if (name !== "_" && name !== "&" && !names.includes(name)) names.push(name);
		}
		at += 1;
	}
	return names;
}

/** Swift has no list node: its parameters are siblings, with default values between them. */
function lastOfType(tree: FlatTree, first: number): number {
	let end = tree.until[first] ?? 0;
	const limit = tree.until[tree.parent[first] ?? 0] ?? end;
	for (let at = end; at < limit; at = tree.until[at] ?? limit)
		if (tree.type[at] === tree.type[first] && tree.field[at] === tree.field[first]) end = tree.until[at] ?? end;
	return end;
}

/** Rust's `'a` of `&'a self`. */
const LIFETIME = "lifetime";
const NOT_A_NAME: ReadonlySet<string> = new Set([
	"type",
	"value",
	"default_value",
	"return_type",
	"external_name",
	"size",
	"decorator",
	"default",
	"right",
]);
