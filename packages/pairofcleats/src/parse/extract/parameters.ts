import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./found.ts";
import { nameOf } from "./names.ts";
import { rolesOf, typeName } from "./nodeType.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

const MAX_PARAMETERS = 64;

/** The parameter list of the definition, of its value, or of the declarator around the name. */
export function parametersNode(tree: FlatTree, compiled: CompiledSpec, found: Found): number {
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
export function parameterNames(tree: FlatTree, compiled: CompiledSpec, list: number): string[] {
	const names: string[] = [];
	const end = lastOfType(tree, list);
	let isDefault = false;
	for (let at = list; at < end && names.length < MAX_PARAMETERS; ) {
		const role = rolesOf(tree, compiled, at);
		const field = compiled.grammar.fields[tree.field[at] ?? 0];
		const isName = tree.field[at] !== 0 && compiled.nameUnder[tree.type[tree.parent[at] ?? 0] ?? 0] === tree.field[at];
		const skipped = at > list && !isName && !compiled.spec.forms && (isDefault || NOT_A_NAME.has(field ?? ""));
		isDefault = typeName(tree, compiled, at) === "=";
		const isLifetime = typeName(tree, compiled, at) === LIFETIME;
		if (skipped || isLifetime || role & (ROLE.decorator | ROLE.modifiers | ROLE.comment)) {
			at = tree.until[at] ?? end;
			continue;
		}
		if (role & ROLE.identifier) {
			const name = nameOf(tree, compiled, at);
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
