import type { CompiledSpec } from "../extract/compileSpec.ts";
import { rolesOf } from "../extract/nodeType.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { isPlainType } from "./isPlainType.ts";

/** Most levels between a parameter list and a decorator in it. */
const DEEPEST_DECORATOR = 4;
const NOT_THE_NAME: ReadonlySet<string> = new Set(["type", "value", "default_value"]);

/**
 * The names introduced by a decorated parameter: `query` of `@RequestParam("q") String query`; empty for other
 * decorators, and where the framework lets nothing but a number or the like through: `@PathVariable Long id`.
 */
export function decoratedNames(tree: FlatTree, compiled: CompiledSpec, decorator: number): number[] {
	const { types, fields } = compiled.grammar;
	const list = parameterList(tree, compiled, decorator);
	const end = tree.until[list] ?? 0;
	const names: number[] = [];
	let from = decorator;
	let node = tree.until[decorator] ?? end;
	while (list >= 0 && node < end) {
		const type = tree.type[node] ?? 0;
		const role = compiled.roles[type] ?? 0;
		const ends = types[type] === "=" || (types[type] === "," && tree.parent[node] === list);
		if (ends) break;
		const skips = role & ROLE.decorator || NOT_THE_NAME.has(fields[tree.field[node] ?? 0] ?? "");
		if (role & ROLE.identifier && !skips) names.push(node);
		if (role & ROLE.decorator) from = node;
		node = skips ? (tree.until[node] ?? end) : node + 1;
	}
	const [name = -1] = names;
	const written = [
		tree.text.slice(tree.end[from], tree.start[name]),
		tree.text.slice(tree.end[name], node < end ? tree.start[node] : (tree.end[list] ?? 0) - 1),
	];
	return name >= 0 && !compiled.spec.erasesTypes && written.some(isPlainType) ? [] : names;
}

function parameterList(tree: FlatTree, compiled: CompiledSpec, decorator: number): number {
	let at = tree.parent[decorator] ?? -1;
	for (let steps = 0; at > 0 && steps < DEEPEST_DECORATOR; steps += 1) {
		const isList = (rolesOf(tree, compiled, at) & ROLE.parameters) !== 0;
		if (isList || compiled.grammar.fields[tree.field[at] ?? 0] === "parameters") return at;
		at = tree.parent[at] ?? -1;
	}
	return -1;
}
